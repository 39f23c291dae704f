package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import outbox.testkit.ManualTime;

class PendingLoginCookieTest {

    private final ManualTime time = new ManualTime();
    private final List<String> set = new ArrayList<>();
    private final PendingLoginCookie logins = new PendingLoginCookie(true, time);

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
        String changed = (cookie.charAt(0) == 'A' ? 'B' : 'A') + cookie.substring(1);

        assertThat(logins.loadAuthorizationRequest(request("a-state", changed))).isNull();
        assertThat(logins.loadAuthorizationRequest(request("another-state", cookie)))
                .isNull();
        assertThat(logins.loadAuthorizationRequest(request("a-state", cookieOf(new PendingLoginCookie(true, time)))))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "!!!", "QUJD", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w"})
    void ignoresACookieThatItDidNotMake(String cookie) {
        assertThat(logins.loadAuthorizationRequest(request("a-state", cookie))).isNull();
    }

    /** Browsers ignore a cookie of more than 4,096 bytes. */
    @Test
    void fitsIntoACookie() {
        save(
                logins,
                OAuth2AuthorizationRequest.authorizationCode()
                        .authorizationUri("https://id.example.com/" + "a".repeat(300))
                        .clientId("c".repeat(36))
                        .redirectUri("https://" + "r".repeat(100) + "/login/oauth2/code/oidc")
                        .scope("openid", "profile")
                        .state("s".repeat(44))
                        .additionalParameters(Map.of(
                                OidcParameterNames.NONCE,
                                "n".repeat(43),
                                PkceParameterNames.CODE_CHALLENGE,
                                "c".repeat(43),
                                PkceParameterNames.CODE_CHALLENGE_METHOD,
                                "S256"))
                        .attributes(Map.of(
                                OAuth2ParameterNames.REGISTRATION_ID,
                                OidcProvider.ID,
                                OidcParameterNames.NONCE,
                                "n".repeat(128),
                                PkceParameterNames.CODE_VERIFIER,
                                "v".repeat(128)))
                        .build());

        assertThat(set.getLast()).hasSizeLessThan(4_096);
    }

    private String cookieOf(PendingLoginCookie where) {
        save(
                where,
                OAuth2AuthorizationRequest.authorizationCode()
                        .authorizationUri("https://id.example.com/authorize")
                        .clientId("catbox")
                        .redirectUri("https://catbox.example.com/login/oauth2/code/oidc")
                        .state("a-state")
                        .attributes(Map.of(
                                OidcParameterNames.NONCE, "a-nonce", PkceParameterNames.CODE_VERIFIER, "a-verifier"))
                        .build());
        return set.getLast().split("[=;]", 3)[1];
    }

    private void save(PendingLoginCookie where, OAuth2AuthorizationRequest login) {
        where.saveAuthorizationRequest(
                login,
                request("", ""),
                fake(HttpServletResponse.class, (method, arguments) -> set.add((String) arguments[1])));
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
