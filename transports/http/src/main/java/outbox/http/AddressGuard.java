package outbox.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Resolves a host's addresses and accepts only allowed ones. */
final class AddressGuard {

    /** Resolves a name, as {@link InetAddress#getAllByName} does. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    /** Thrown when the host has an address that is not allowed. */
    static final class RefusedAddressException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedAddressException(String message) {
            super(message);
        }
    }

    private final AddressRules rules;
    private final Resolver resolver;

    AddressGuard(AddressRules rules, Resolver resolver) {
        this.rules = rules;
        this.resolver = resolver;
    }

    /**
     * Returns the addresses of a host. One forbidden address makes the whole host suspect.
     *
     * @throws RefusedAddressException when one of them is not allowed
     */
    List<InetAddress> addresses(String host) throws IOException {
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        List<InetAddress> addresses = Arrays.asList(resolver.resolve(name));
        for (InetAddress address : addresses) {
            if (!rules.trusts(host) && !rules.allows(address)) {
                throw new RefusedAddressException("the address " + address.getHostAddress() + " of " + host
                        + " is private or special and is refused; allow-private-addresses, allowed-hosts or"
                        + " allowed-networks can allow it");
            }
        }
        if (addresses.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return addresses;
    }
}
