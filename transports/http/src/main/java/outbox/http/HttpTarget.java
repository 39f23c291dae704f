package outbox.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.model.Delivery;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * The URL and the fixed headers of requests.
 *
 * @param baseUrl scheme, host, port and the path's beginning
 * @param path appended to it, unless a delivery has an address; null: nothing
 * @param token sent as a bearer token
 * @param headers further fixed headers; their values may be secrets, so all of them are treated as such
 */
public record HttpTarget(
        URI baseUrl,
        @Nullable Template path,
        @Nullable Secret token,
        Map<String, Secret> headers,
        HttpClient.Version version) {

    private static final String BATCH_PATH = "/api/events/batch";

    public HttpTarget {
        checkUrl(baseUrl);
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        headers.forEach((name, value) -> {
            if (!HeaderText.isName(name) || HeaderText.isReserved(name)) {
                throw new IllegalArgumentException("header " + name + " cannot be set");
            }
            checkValue("header " + name, value);
        });
        if (token != null) {
            checkValue("the token", token);
        }
    }

    private static void checkUrl(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!List.of("http", "https").contains(scheme) || url.getHost() == null) {
            throw new IllegalArgumentException("must begin with http:// or https:// and a host");
        }
        if (url.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "must have no user or password in it; use the setting token or header.*");
        }
        if (url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("must have no query and no fragment");
        }
    }

    private static void checkValue(String what, Secret value) {
        if (!HeaderText.isPlain(value.reveal())) {
            throw new IllegalArgumentException(what + " must be printable ASCII");
        }
    }

    /** Returns the port, also if the URL does not contain it. */
    int port() {
        boolean tls = "https".equalsIgnoreCase(baseUrl.getScheme());
        return baseUrl.getPort() >= 0 ? baseUrl.getPort() : tls ? 443 : 80;
    }

    /**
     * Returns the URI of a delivery.
     *
     * @throws IllegalArgumentException when its address cannot be a part of a URL
     */
    URI uriOf(Delivery delivery) {
        String address = address(delivery);
        String base = baseUrl.toString();
        String start = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        return address.isEmpty() ? baseUrl : URI.create(start + PathText.encode(address));
    }

    /** Returns the path of a delivery's route or of the setting, without its query. */
    String pathOf(Delivery delivery) {
        String address = address(delivery);
        int query = address.indexOf('?');
        return query < 0 ? address : address.substring(0, query);
    }

    /** Returns whether the setting or a route leads to several paths, which several servers may serve. */
    boolean isOneOfManyPaths(Delivery delivery) {
        return delivery.address() != null || (path != null && !path.isFixed());
    }

    private String address(Delivery delivery) {
        String address = delivery.address();
        if (address != null) {
            return address;
        }
        return path == null ? "" : path.fill(delivery.event());
    }

    // ---- settings --------------------------------------------------------------------------------------------------

    static HttpTarget from(Settings settings, HttpFraming framing) {
        URI url = settings.parsed("base-url", HttpTarget::parsed)
                .orElseThrow(() -> settings.wrong("base-url", "is missing"));
        Template path =
                settings.parsed("path", Template::parse).orElse(framing.isSingle() ? null : Template.parse(BATCH_PATH));
        Map<String, Secret> headers = new LinkedHashMap<>();
        settings.group("header").forEach((name, value) -> {
            if (value.isEmpty()) {
                throw settings.wrong("header." + name, "must not be empty");
            }
            headers.put(name, new Secret(value));
        });
        Secret token = settings.secret("token").orElse(null);
        HttpClient.Version version = switch (settings.text("http-version").orElse("1.1")) {
            case "1.1" -> HttpClient.Version.HTTP_1_1;
            case "2" -> HttpClient.Version.HTTP_2;
            default -> throw settings.wrong("http-version", "must be 1.1 or 2");
        };
        try {
            return new HttpTarget(url, path, token, headers, version);
        } catch (IllegalArgumentException e) {
            String complaint = settings.wrong("base-url, token or header.*", String.valueOf(e.getMessage()))
                    .getMessage();
            throw new Settings.WrongSettingException("base-url", String.valueOf(complaint), e);
        }
    }

    /** Parses the URL. The error does not show the text, because it may contain a password. */
    private static URI parsed(String text) {
        URI url;
        try {
            url = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be a URL such as https://api.example.com");
        }
        checkUrl(url);
        return url;
    }
}
