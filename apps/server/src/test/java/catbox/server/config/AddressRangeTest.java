package catbox.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressRangeTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.7, 10.0.0.7, true",
        "10.0.0.7, 10.0.0.8, false",
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.168.4.0/22, 192.168.7.255, true",
        "192.168.4.0/22, 192.168.8.0, false",
        "0.0.0.0/0, 203.0.113.1, true",
        "0.0.0.0/0, ::1, false",
        "::1, ::1, true",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false"
    })
    void containsWhatBeginsWithTheSameBits(String range, String address, boolean contained) throws Exception {
        assertThat(AddressRange.parse(range).contains(InetAddress.getByName(address)))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, true",
        "255.249.199.99, true",
        "2001:db8::1, true",
        "::ffff:10.0.0.1, true",
        "300.1.1.1, false",
        "1.1.1.256, false",
        "1.1.1, false",
        "1.1.1.1.1, false",
        "010.1.1.1, false",
        "dead.beef, false",
        "localhost, false"
    })
    void asksNoNameServerAboutIt(String text, boolean literal) {
        assertThat(AddressRange.isLiteral(text)).isEqualTo(literal);
    }

    @Test
    void takesNoNameForAnAddress() {
        assertThat(AddressRange.address("localhost")).isEmpty();
        assertThat(AddressRange.address("dead.beef")).isEmpty();
        assertThat(AddressRange.address("300.1.1.1")).isEmpty();
        assertThat(AddressRange.address("")).isEmpty();
        assertThat(AddressRange.address("127.0.0.1")).isPresent();
    }
}
