package catbox.server.access;

import catbox.server.config.AddressRange;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.util.StringUtils;

/**
 * Finds the address of a request's client. Each trusted proxy adds its own client to {@code X-Forwarded-For}, so the
 * last address there that is no trusted proxy counts; what precedes it may be forged. Tomcat's RemoteIpValve also
 * accepts words, and addresses with a port: with a port that changes, every guess of a password would come from another
 * address.
 */
record ClientAddress(List<AddressRange> trustedProxies) {

    String of(HttpServletRequest request) {
        return of(request.getRemoteAddr(), Collections.list(request.getHeaders("X-Forwarded-For")));
    }

    String of(String peer, List<String> forwardedFor) {
        List<String> hops = List.of(StringUtils.tokenizeToStringArray(String.join(",", forwardedFor), ","));
        String client = peer;
        for (String hop : hops.reversed()) {
            Optional<InetAddress> address = AddressRange.address(withoutPort(hop));
            if (address.isEmpty() || !isTrusted(client)) {
                break;
            }
            client = address.get().getHostAddress();
        }
        return client;
    }

    // Some proxies add a port. None is removed from an IPv6 address, where it could as well be the last group.
    private static String withoutPort(String hop) {
        int colon = hop.indexOf(':');
        return colon > 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop;
    }

    private boolean isTrusted(String text) {
        return AddressRange.address(text)
                .filter(address -> trustedProxies.stream().anyMatch(range -> range.contains(address)))
                .isPresent();
    }
}
