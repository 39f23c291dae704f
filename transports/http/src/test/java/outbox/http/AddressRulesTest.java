package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {

    private static final AddressRules STRICT = new AddressRules(false, Set.of(), List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.255.255.254",
                "10.0.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "100.127.255.255",
                "0.0.0.0",
                "0.1.2.3",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.9",
                "192.88.99.1",
                "::",
                "::1",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "fc00::1",
                "fd12:3456::1",
                "ff02::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::1",
                "3fff::1",
                "4000::1"
            })
    void refusesWhatIsNotThePublicInternet(String address) throws UnknownHostException {
        assertThat(STRICT.allows(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "2001:4860:4860::8888",
                "2606:4700::1111",
                "2a00::1"
            })
    void allowsThePublicInternet(String address) throws UnknownHostException {
        assertThat(STRICT.allows(InetAddress.getByName(address))).isTrue();
    }

    @Test
    @SuppressWarnings("AddressSelection") // These are address literals, not names.
    void allowsConfiguredAddressBlocks() throws UnknownHostException {
        AddressRules rules = new AddressRules(
                false,
                Set.of(),
                List.of(AddressBlock.parse("10.1.0.0/16"), AddressBlock.parse("fd00::/8"), AddressBlock.parse("::1")));

        assertThat(rules.allows(InetAddress.getByName("10.1.255.1"))).isTrue();
        assertThat(rules.allows(InetAddress.getByName("10.2.0.1"))).isFalse();
        assertThat(rules.allows(InetAddress.getByName("fd12::1"))).isTrue();
        assertThat(rules.allows(InetAddress.getByName("fc00::1"))).isFalse();
        assertThat(rules.allows(InetAddress.getByName("::1"))).isTrue();
        assertThat(rules.allows(InetAddress.getByName("127.0.0.1"))).isFalse();
    }

    @Test
    void trustsConfiguredHosts() {
        AddressRules rules = new AddressRules(false, Set.of("Internal.Example"), List.of());

        assertThat(rules.trusts("internal.EXAMPLE")).isTrue();
        assertThat(rules.trusts("sub.internal.example")).isFalse();
        assertThat(new AddressRules(true, Set.of(), List.of()).trusts("any")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost/8", "10.0.0.0/33", "fd00::/129", "10.0.0.0/x", "10.0.0.0/-1", "300.0.0.1", ""})
    void refusesWhatIsNoNetwork(String text) {
        assertThatThrownBy(() -> AddressBlock.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
