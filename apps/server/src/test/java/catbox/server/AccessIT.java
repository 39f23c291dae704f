package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authentication and authorization. The source cannot be connected to, because no test here needs it. */
class AccessIT {

    private static final String REST = """
            server: { port: 0 }
            sources: { orders: { url: 'jdbc:postgresql://127.0.0.1:1/none' } }
            destinations: { archive: { kind: file, path: target/archive } }
            """;

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder, REST + TestAccess.yaml());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    // ---- logging in ------------------------------------------------------------------------------------------------

    @Test
    void showsTheRequestedPageAfterTheLogin() throws Exception {
        try (Caller caller = Caller.anonymous(server)) {
            assertThat(Caller.location(caller.get("/audit?source=orders", "Accept", "text/html")))
                    .isEqualTo("/login");
            HttpResponse<String> login = caller.login("viewer", "viewer");

            assertThat(Caller.location(login)).isEqualTo("/audit?source=orders");
            assertThat(caller.get("/api/sources").body()).startsWith("[{\"name\":\"orders\",\"state\":\"connecting\"");
        }
    }

    @Test
    void keepsTheSessionInACookieThatOnlyThisServerReads() throws Exception {
        try (Caller caller = Caller.anonymous(server)) {
            HttpResponse<String> login = caller.login("viewer", "viewer");

            assertThat(Caller.cookie(login, "catbox-session"))
                    .contains("HttpOnly", "SameSite=Lax", "Path=/")
                    .doesNotContain("Secure", "Max-Age");
        }
    }

    @Test
    void showingTheLoginPageMakesNoSession() throws Exception {
        try (Caller caller = Caller.anonymous(server)) {
            HttpResponse<String> page = caller.get("/login");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(Caller.cookie(page, "catbox-csrf")).contains("HttpOnly", "SameSite=Lax");
            assertThat(Caller.cookie(page, "catbox-session")).isEmpty();
            assertThat(Caller.cookie(caller.get("/", "Accept", "text/html"), "catbox-session"))
                    .isEmpty();
        }
    }

    @Test
    void logsOut() throws Exception {
        try (Caller caller = Caller.loggedIn(server, "viewer", "viewer")) {
            String token = caller.csrf("/login");
            assertThat(Caller.location(caller.form("/logout", Map.of()))).contains("nowhere");
            assertThat(caller.get("/api/sources").statusCode()).isEqualTo(200);

            assertThat(Caller.location(caller.form("/logout", Map.of("_csrf", token))))
                    .isEqualTo("/login?logout");
            assertThat(caller.get("/api/sources").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void refusesAWrongPasswordAndAfterFiveEvenTheRightOne() throws Exception {
        try (Caller caller = Caller.anonymous(server)) {
            for (int attempt = 0; attempt < 5; attempt++) {
                assertThat(Caller.location(caller.login("reader", "wrong"))).isEqualTo("/login?error");
            }
            assertThat(Caller.location(caller.login("reader", "reader"))).isEqualTo("/login?wait");
            assertThat(Caller.location(caller.login("operator", "operator"))).isEqualTo("/");
        }
    }

    @Test
    void behindATrustedProxyAClientThatGuessesDoesNotLockOutOthers(@TempDir Path other) throws Exception {
        String yaml = REST + TestAccess.yaml() + "  trusted-proxies: 127.0.0.1, 10.0.0.0/8\n";
        try (TestServer proxied = TestServer.start(other, yaml)) {
            try (Caller guesser = Caller.forwarded(proxied, "203.0.113.7")) {
                for (int attempt = 0; attempt < 20; attempt++) {
                    guesser.login("nobody-" + attempt, "wrong");
                }
                assertThat(Caller.location(guesser.login("viewer", "viewer"))).isEqualTo("/login?wait");
            }
            // The client itself sent what precedes the last address.
            try (Caller liar = Caller.forwarded(proxied, "198.51.100.9, 203.0.113.7, 10.1.2.3");
                    Caller neighbour = Caller.forwarded(proxied, "203.0.113.7, 203.0.113.8")) {
                assertThat(Caller.location(liar.login("viewer", "viewer"))).isEqualTo("/login?wait");
                assertThat(Caller.location(neighbour.login("viewer", "viewer"))).isEqualTo("/");
            }
        }
    }

    @Test
    void aSessionEndsEvenIfItIsUsed(@TempDir Path other) throws Exception {
        try (TestServer strict = TestServer.start(other, REST + TestAccess.yaml() + "  session-lifetime: 1s\n");
                Caller caller = Caller.loggedIn(strict, "viewer", "viewer")) {
            Eventually.happens(
                    "the session is over", () -> caller.get("/api/sources").statusCode() == 401);
            assertThat(Caller.location(caller.login("viewer", "viewer"))).isEqualTo("/");
        }
    }

    @Test
    void refusesALoginWithoutItsCsrfToken() throws Exception {
        try (Caller caller = Caller.anonymous(server)) {
            HttpResponse<String> answer = caller.form("/login", Map.of("username", "viewer", "password", "viewer"));

            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(caller.get("/api/sources").statusCode()).isEqualTo(401);
        }
    }

    // ---- answers and headers ---------------------------------------------------------------------------------------

    @Test
    void healthAndMetricsAreOpenAndNothingElseIs() throws Exception {
        try (Caller anonymous = Caller.anonymous(server)) {
            assertThat(anonymous.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
            assertThat(anonymous.get("/actuator/prometheus").statusCode()).isEqualTo(200);
            assertThat(anonymous.get("/actuator/health/readiness").body()).isEqualTo("{\"status\":\"DOWN\"}");
            assertThat(anonymous.get("/actuator/health/sources/orders").statusCode())
                    .isEqualTo(404);
            assertThat(server.health("readiness")).contains("\"components\":", "\"orders\"", "cannot be reached");
            for (String path : new String[] {
                "/api/sources",
                "/api/pulse",
                "/api/stream",
                "/api/openapi.json",
                "/api/sources/orders/overview",
                "/api/x"
            }) {
                HttpResponse<String> answer = anonymous.get(path);
                assertThat(answer.statusCode()).describedAs(path).isEqualTo(401);
                assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
                assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
                assertThat(answer.body()).contains("\"type\":\"/problems/unauthorized\"", "\"status\":401");
            }
            for (String path : new String[] {"/", "/events", "/error", "/no-such-page", "/actuatorx"}) {
                assertThat(Caller.location(anonymous.get(path)))
                        .describedAs(path)
                        .isEqualTo("/login");
            }
        }
    }

    @Test
    void aTokenOpensTheApiAndMakesNoSession() throws Exception {
        try (Caller caller = Caller.withToken(server, "viewer");
                Caller stranger = Caller.withToken(server, "guessed")) {
            HttpResponse<String> answer = caller.get("/api/sources");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().allValues("Set-Cookie")).noneMatch(cookie -> cookie.contains("session"));

            assertThat(stranger.get("/api/sources").statusCode()).isEqualTo(401);
            assertThat(stranger.get("/api/sources").body()).contains("unknown token");
        }
    }

    @Test
    void pagesRunNoScriptsOfOthersAndAreFramedByNobody() throws Exception {
        try (Caller caller = Caller.anonymous(server)) {
            HttpResponse<String> page = caller.get("/login");

            assertThat(page.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'self'", "frame-ancestors 'none'", "object-src 'none'")
                            .doesNotContain("unsafe"));
            assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(page.headers().firstValue("X-Frame-Options")).contains("DENY");
            assertThat(page.headers().firstValue("Referrer-Policy")).contains("same-origin");
            assertThat(page.body()).doesNotContain("<script>", "<style", " style=", " onclick=");
        }
    }

    @Test
    void saysThatASourceIsNotConnected() throws Exception {
        try (Caller caller = Caller.withToken(server, "viewer")) {
            HttpResponse<String> answer = caller.get("/api/sources/orders/overview");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .contains("\"type\":\"/problems/source-not-connected\"", "source orders is not connected");
        }
    }

    // ---- other files -----------------------------------------------------------------------------------------------

    @Test
    void refusesEveryRequestWithoutUsersAndSaysHowToAddThem(@TempDir Path other) throws Exception {
        try (TestServer closed = TestServer.start(other, REST + "access: {}");
                Caller caller = Caller.withToken(closed, "viewer")) {
            assertThat(caller.get("/api/sources").statusCode()).isEqualTo(401);
            assertThat(caller.get("/api/sources").body()).contains("access is not set up", "access:");
            try (Caller browser = Caller.anonymous(closed)) {
                assertThat(browser.get("/login").body()).contains("an OpenID provider", "section <code>access</code>");
            }
        }
    }

    @Test
    void startsWithoutItsOpenIdProviderAndSaysSo(@TempDir Path other) throws Exception {
        String access = """
                access:
                  tokens: [ { name: ci, sha256: "%s" } ]
                  oidc: { issuer: 'http://127.0.0.1:1/realms/none', client-id: catbox }
                  public-url: https://catbox.example.com
                """.formatted(TestAccess.sha256("known"));
        try (TestServer lonely = TestServer.start(other, REST + access);
                Caller browser = Caller.anonymous(lonely);
                Caller known = Caller.withToken(lonely, "known");
                Caller unknown = Caller.withToken(lonely, "unknown")) {
            HttpResponse<String> page = browser.get("/oauth2/authorization/oidc");
            assertThat(page.statusCode()).isEqualTo(503);
            assertThat(page.body())
                    .contains("The OpenID provider cannot be reached", "/oauth2/authorization/oidc")
                    .doesNotContain("127.0.0.1", "realms", "Exception");
            assertThat(page.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy).endsWith("form-action 'self' http://127.0.0.1:1"));

            assertThat(known.get("/api/sources").statusCode()).isEqualTo(200);
            HttpResponse<String> answer = unknown.get("/api/sources");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).contains("5");
            assertThat(answer.body())
                    .contains("/problems/provider-unreachable", "cannot be reached to check it")
                    .doesNotContain("127.0.0.1");
        }
    }
}
