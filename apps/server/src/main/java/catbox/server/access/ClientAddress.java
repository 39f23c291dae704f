package catbox.server.access;

import catbox.server.config.AddressRange;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where a request comes from. A proxy that is trusted says it in {@code X-Forwarded-For}, to which every proxy on the way
 * adds whom it was asked by: the last of them that is no trusted proxy itself counts. What stands before it could have
 * been made up by anybody. Tomcat's RemoteIpValve takes whatever stands there for the address, also a word and a port:
 * with a port that changes, every guess of a password would come from another address.
 *
 * @param trusted the proxies that are believed
 */
record ClientAddress(List<AddressRange> trusted) {

    private static final String FORWARDED_FOR = "X-Forwarded-For";

    String of(HttpServletRequest request) {
        List<String> headers = Collections.list(request.getHeaders(FORWARDED_FOR));
        return of(request.getRemoteAddr(), headers);
    }

    String of(String peer, List<String> forwardedFor) {
        List<String> way = Arrays.stream(
                        forwardedFor.stream().collect(Collectors.joining(",")).split(",", -1))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
        String client = peer;
        for (String before : way.reversed()) {
            if (!isTrusted(client)) {
                break;
            }
            Optional<InetAddress> address = AddressRange.address(withoutPort(before));
            if (address.isEmpty()) {
                break;
            }
            client = address.get().getHostAddress();
        }
        return client;
    }

    // Some proxies add it. An IPv6 address has none here: it could not be told from its last part.
    private static String withoutPort(String entry) {
        int colon = entry.indexOf(':');
        return colon > 0 && colon == entry.lastIndexOf(':') ? entry.substring(0, colon) : entry;
    }

    private boolean isTrusted(String text) {
        return AddressRange.address(text)
                .filter(address -> trusted.stream().anyMatch(range -> range.contains(address)))
                .isPresent();
    }
}
