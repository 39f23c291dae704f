package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.server.config.AddressRange;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {

    private final ClientAddress address = new ClientAddress(List.of(range("10.0.0.0", 8)));

    private static AddressRange range(String first, int bits) {
        try {
            return new AddressRange(InetAddress.getByName(first), bits);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1|203.0.113.7|203.0.113.7",
                "10.0.0.1|198.51.100.9, 203.0.113.7|203.0.113.7",
                "10.0.0.1|198.51.100.9, 203.0.113.7, 10.0.0.2|203.0.113.7",
                "10.0.0.1|10.0.0.3, 10.0.0.2|10.0.0.3",
                "10.0.0.1|unknown|10.0.0.1",
                "10.0.0.1|203.0.113.7, _hidden|10.0.0.1",
                "10.0.0.1|2001:db8::1|2001:db8:0:0:0:0:0:1",
                "10.0.0.1|203.0.113.7:4711|203.0.113.7",
                "10.0.0.1|203.0.113.7:4711, 10.0.0.2:80|203.0.113.7",
                "10.0.0.1|300.1.1.1|10.0.0.1",
                "203.0.113.9|198.51.100.9|203.0.113.9"
            })
    void isTheLastOneThatIsNoTrustedProxy(String peer, String forwardedFor, String client) {
        assertThat(address.of(peer, List.of(forwardedFor))).isEqualTo(client);
    }

    @Test
    void isThePeerWithoutATrustedHeader() {
        assertThat(address.of("10.0.0.1", List.of())).isEqualTo("10.0.0.1");
        assertThat(address.of("10.0.0.1", List.of("198.51.100.9", "203.0.113.7")))
                .isEqualTo("203.0.113.7");
        assertThat(new ClientAddress(List.of()).of("127.0.0.1", List.of("203.0.113.7")))
                .isEqualTo("127.0.0.1");
    }
}
