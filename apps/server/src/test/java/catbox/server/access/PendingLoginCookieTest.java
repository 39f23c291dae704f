package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.server.config.OidcPlan;
import com.sun.net.httpserver.HttpServer;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import outbox.testkit.ManualTime;

class PendingLoginCookieTest {

    private final ManualTime time = new ManualTime();
    private final List<String> set = new ArrayList<>();
    private HttpServer server;
    private OidcProvider provider;
    private PendingLoginCookie logins;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String issuer = "http://127.0.0.1:" + server.getAddress().getPort();
        byte[] configuration = """
                { "issuer": "%1$s", "jwks_uri": "%1$s/keys", "authorization_endpoint": "%1$s/authorize",
                  "token_endpoint": "%1$s/token", "subject_types_supported": ["public"] }
                """.formatted(issuer).getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, configuration.length);
            exchange.getResponseBody().write(configuration);
            exchange.close();
        });
        server.start();
        provider = new OidcProvider(new OidcPlan(issuer, "catbox", Optional.empty(), "roles"), Optional.empty(), time);
        logins = new PendingLoginCookie(provider, true, time);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void remembersALoginForTenMinutes() {
        String cookie = cookieOf(logins);
        assertThat(set.getFirst()).contains("Path=/login/oauth2", "Max-Age=600", "Secure", "HttpOnly", "SameSite=Lax");
        assertThat(cookie).doesNotContain("a-state", "a-nonce", "a-verifier").isNotEqualTo(cookieOf(logins));
        time.advance(Duration.ofMinutes(10).minusMillis(1));

        OAuth2AuthorizationRequest login = logins.loadAuthorizationRequest(request("a-state", cookie));
        assertThat(login).isNotNull();
        assertThat(login.getRedirectUri()).isEqualTo("https://catbox.example.com/login/oauth2/code/oidc");
        assertThat(login.<String>getAttribute(OidcParameterNames.NONCE)).isEqualTo("a-nonce");
        assertThat(login.<String>getAttribute(PkceParameterNames.CODE_VERIFIER)).isEqualTo("a-verifier");

        time.advance(Duration.ofMillis(1));
        assertThat(logins.loadAuthorizationRequest(request("a-state", cookie))).isNull();
    }

    @Test
    void acceptsOnlyLoginsOfThisProcessWithTheSameState() {
        String cookie = cookieOf(logins);
        String changed = (cookie.charAt(0) == 'a' ? 'b' : 'a') + cookie.substring(1);

        assertThat(logins.loadAuthorizationRequest(request("a-state", changed))).isNull();
        assertThat(logins.loadAuthorizationRequest(request("another-state", cookie)))
                .isNull();
        assertThat(logins.loadAuthorizationRequest(
                        request("a-state", cookieOf(new PendingLoginCookie(provider, true, time)))))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "!!!", "QUJD", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w"})
    void ignoresACookieThatItDidNotMake(String cookie) {
        assertThat(logins.loadAuthorizationRequest(request("a-state", cookie))).isNull();
    }

    private String cookieOf(PendingLoginCookie where) {
        where.saveAuthorizationRequest(
                OAuth2AuthorizationRequest.authorizationCode()
                        .authorizationUri("https://id.example.com/authorize")
                        .clientId("catbox")
                        .redirectUri("https://catbox.example.com/login/oauth2/code/oidc")
                        .state("a-state")
                        .attributes(Map.of(
                                OidcParameterNames.NONCE, "a-nonce", PkceParameterNames.CODE_VERIFIER, "a-verifier"))
                        .build(),
                request("", ""),
                fake(HttpServletResponse.class, (method, arguments) -> set.add((String) arguments[1])));
        return set.getLast().split("[=;]", 3)[1];
    }

    private static HttpServletRequest request(String state, String cookie) {
        return fake(HttpServletRequest.class, (method, arguments) -> switch (method) {
            case "getParameter" -> state;
            case "getCookies" -> new Cookie[] {new Cookie(PendingLoginCookie.NAME, cookie)};
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private static <T> T fake(Class<T> type, BiFunction<String, Object[], Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object answer = answers.apply(method.getName(), arguments);
                    return method.getReturnType() == void.class ? null : answer;
                }));
    }
}
