package catbox.server;

import java.net.CookieHandler;
import java.net.HttpCookie;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Cookies by host and port. Secure cookies are sent too: browsers treat this machine like https. */
final class CookieJar extends CookieHandler {

    private final Map<String, Map<String, String>> byAuthority = new ConcurrentHashMap<>();

    @Override
    public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) {
        String cookies = of(uri).entrySet().stream()
                .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
        return cookies.isEmpty() ? Map.of() : Map.of("Cookie", List.of(cookies));
    }

    @Override
    public void put(URI uri, Map<String, List<String>> headers) {
        headers.forEach((name, values) -> {
            if (name != null && name.equalsIgnoreCase("Set-Cookie")) {
                values.forEach(value -> put(uri, value));
            }
        });
    }

    private void put(URI uri, String header) {
        String[] pair = header.split(";", 2)[0].split("=", 2);
        boolean gone = HttpCookie.parse(header).getFirst().getMaxAge() == 0;
        if (gone) {
            of(uri).remove(pair[0]);
        } else {
            of(uri).put(pair[0], pair[1]);
        }
    }

    private Map<String, String> of(URI uri) {
        return byAuthority.computeIfAbsent(uri.getAuthority(), authority -> new ConcurrentHashMap<>());
    }
}
