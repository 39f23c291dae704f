package outbox.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import outbox.spi.Settings;

/**
 * Decides which addresses may be connected to. Addresses of the own machine or network are refused unless they are
 * allowed: a user who can choose a URL could otherwise reach services that only the relay can reach.
 *
 * @param allowPrivate whether every address is allowed
 * @param hosts names whose addresses are always allowed
 * @param networks address blocks that are allowed
 */
public record AddressRules(boolean allowPrivate, Set<String> hosts, List<AddressBlock> networks) {

    /** All IPv4 blocks outside the public internet, from the registry of special-purpose addresses. */
    private static final List<AddressBlock> SPECIAL_V4 = networks(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4");

    private static final AddressBlock GLOBAL_V6 = AddressBlock.parse("2000::/3");

    /** Parts of the global block that are special, or that embed an IPv4 address. */
    private static final List<AddressBlock> SPECIAL_V6 =
            networks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

    public AddressRules {
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        networks = List.copyOf(networks);
    }

    private static List<AddressBlock> networks(String... texts) {
        return Stream.of(texts).map(AddressBlock::parse).toList();
    }

    static AddressRules from(Settings settings) {
        try {
            return new AddressRules(
                    settings.flag("allow-private-addresses", false),
                    Set.copyOf(settings.list("allowed-hosts")),
                    settings.list("allowed-networks").stream()
                            .map(AddressBlock::parse)
                            .toList());
        } catch (Settings.WrongSettingException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw settings.wrong("allowed-networks", String.valueOf(e.getMessage()));
        }
    }

    /** Returns whether the addresses of this host need no check. */
    boolean trusts(String host) {
        return allowPrivate || hosts.contains(host.toLowerCase(Locale.ROOT));
    }

    boolean allows(InetAddress address) {
        return isPublic(address) || networks.stream().anyMatch(network -> network.contains(address));
    }

    // Java has already converted an IPv4-mapped IPv6 address to IPv4.
    private static boolean isPublic(InetAddress address) {
        if (address.getAddress().length == 4) {
            return SPECIAL_V4.stream().noneMatch(network -> network.contains(address));
        }
        return GLOBAL_V6.contains(address) && SPECIAL_V6.stream().noneMatch(network -> network.contains(address));
    }
}
