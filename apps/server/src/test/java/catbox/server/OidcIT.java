package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.KeycloakServer;
import catbox.devservices.OpenIdServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Logins and tokens of a real Keycloak, with the realm that we ship. */
class OidcIT {

    private static final Path REALM = Path.of("../../infrastructure/keycloak/catbox-realm.json");
    private static final Pattern FORM = Pattern.compile("<form[^>]* action=\"([^\"]+)\"");
    private static final String API = "/api/sources/orders/";
    private static final String TO_KEYCLOAK = "/oauth2/authorization/oidc";
    private static final String PAUSE = "{\"subject\":{\"kind\":\"key\",\"name\":\"k\"},\"reason\":\"a try\"}";

    @TempDir
    static Path folder;

    private static OpenIdServer keycloak;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        keycloak = KeycloakServer.start(REALM);
        server = TestServer.start(
                folder, """
                server: { port: 0 }
                sources: { orders: { url: 'jdbc:h2:mem:oidc;DB_CLOSE_DELAY=-1', schema: install } }
                destinations: { archive: { kind: file, path: %s } }
                access:
                  users: [ { name: local, password: "%s" } ]
                  oidc: { issuer: '%s', client-id: catbox, client-secret: change-me }
                """.formatted(folder.resolve("archive"), TestAccess.hash("local"), keycloak.issuer()));
        server.awaitReady();
    }

    @AfterAll
    static void stop() {
        server.close();
        keycloak.close();
    }

    // ---- tokens ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "viewer, 200, 403, 403, 403",
        "operator, 200, 200, 403, 403",
        "admin, 200, 200, 200, 404",
        "nobody, 403, 403, 403, 403",
    })
    void aTokenAllowsWhatItsRolesAllow(String user, int overview, int pause, int rebalance, int reveal)
            throws Exception {
        try (Caller caller = Caller.withToken(server, token("catbox", user))) {
            assertThat(caller.get(API + "overview").statusCode()).isEqualTo(overview);
            assertThat(caller.post(API + "pause", PAUSE).statusCode()).isEqualTo(pause);
            assertThat(caller.post(API + "rebalance", "{}").statusCode()).isEqualTo(rebalance);
            assertThat(caller.post(API + "reveal", "{\"eventId\":\"none\"}").statusCode())
                    .isEqualTo(reveal);
        }
    }

    @Test
    void acceptsATypedAccessTokenWhoseAudienceIsThisServer() throws Exception {
        String token = token("catbox-cli", "viewer");
        assertThat(part(token, 0)).contains("\"typ\" : \"at+jwt\"");
        assertThat(part(token, 1)).contains("\"azp\":\"catbox-cli\"", "\"aud\":\"catbox\"");

        try (Caller caller = Caller.withToken(server, token)) {
            assertThat(caller.get("/api/sources").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anIdTokenIsNoBearerToken() throws Exception {
        String token = token("catbox", "admin", "id_token");
        assertThat(part(token, 1)).contains("\"aud\":\"catbox\"", "catbox-admin");

        try (Caller caller = Caller.withToken(server, token)) {
            assertThat(caller.get("/api/sources").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void rejectsATokenOfAnotherClient() throws Exception {
        try (Caller caller = Caller.withToken(server, token("other", "admin"))) {
            HttpResponse<String> answer = caller.get("/api/sources");

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).contains("unknown token: neither");
        }
    }

    // ---- browsers --------------------------------------------------------------------------------------------------

    @Test
    void logsInAndOutWithABrowser() throws Exception {
        try (Caller browser = Caller.anonymous(server)) {
            assertThat(Caller.location(browser.get("/pauses?source=orders", "Accept", "text/html")))
                    .isEqualTo("/login");
            HttpResponse<String> back = throughKeycloak(browser, "operator");
            assertThat(Caller.location(back)).isEqualTo("/pauses?source=orders");
            assertThat(Caller.cookie(back, "catbox-session")).contains("HttpOnly", "SameSite=Lax");

            String csrf = browser.csrf("/audit?source=orders");
            assertThat(browser.post(API + "pause", PAUSE, "X-CSRF-TOKEN", csrf).statusCode())
                    .isEqualTo(200);
            assertThat(browser.post(API + "rebalance", "{}", "X-CSRF-TOKEN", csrf)
                            .statusCode())
                    .isEqualTo(403);
            assertThat(browser.get(API + "audit").body())
                    .containsPattern("\"who\":\"oidc:operator \\([0-9a-f-]{36}\\)\"");

            String away = Caller.location(browser.form("/logout", Map.of("_csrf", csrf)));
            assertThat(away).startsWith(keycloak.issuer()).contains("id_token_hint=");
            assertThat(Caller.location(browser.get(away))).isEqualTo(server.address() + "/login?logout");
            assertThat(browser.get("/api/sources").statusCode()).isEqualTo(401);
            assertThat(form(browser)).describedAs("asks for the password again").contains("login-actions");
        }
    }

    @Test
    void aBrowserThatIsSentToKeycloakHasNoSession() throws Exception {
        try (Caller browser = Caller.anonymous(server)) {
            HttpResponse<String> away = browser.get(TO_KEYCLOAK);

            assertThat(Caller.location(away)).startsWith(keycloak.issuer()).contains("code_challenge=");
            assertThat(Caller.cookie(away, "catbox-session")).isEmpty();
            assertThat(Caller.cookie(away, "catbox-login"))
                    .contains("HttpOnly", "SameSite=Lax", "Path=/login/oauth2", "Max-Age=600");
        }
    }

    @Test
    void aLoginThatBeganInAnotherBrowserIsRefused() throws Exception {
        try (Caller victim = Caller.anonymous(server);
                Caller attacker = Caller.anonymous(server)) {
            String link = Caller.location(filledIn(attacker, "admin"));
            victim.get(TO_KEYCLOAK); // The victim has a pending login of its own.

            HttpResponse<String> answer = victim.get(link);
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).contains("took too long. Try again");
            assertThat(Caller.cookie(answer, "catbox-session")).isEmpty();
        }
    }

    @Test
    void aUserWithoutARoleIsRefused() throws Exception {
        try (Caller browser = Caller.anonymous(server)) {
            HttpResponse<String> answer = throughKeycloak(browser, "nobody");

            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("you have no role here", "catbox-viewer");
            assertThat(Caller.cookie(answer, "catbox-session")).isEmpty();
            assertThat(browser.get("/api/sources").statusCode()).isEqualTo(401);
        }
    }

    // ---- without it ------------------------------------------------------------------------------------------------

    @Test
    void worksWithoutKeycloakAndAgainWithItWhenItIsBack() throws Exception {
        try (Caller browser = Caller.anonymous(server);
                Caller known = Caller.withToken(server, token("catbox", "viewer"))) {
            assertThat(known.get("/api/sources").statusCode()).isEqualTo(200);
            keycloak.pause(); // Worse than stopped: it accepts connections and does not answer.

            HttpResponse<String> answer = Eventually.value("the login says that Keycloak is down", () -> {
                HttpResponse<String> said = browser.get(TO_KEYCLOAK);
                return said.statusCode() == 503 ? said : null;
            });
            assertThat(answer.body())
                    .contains("The OpenID provider cannot be reached", "name=\"username\"")
                    .doesNotContain("127.0.0.1", "realms", "Exception");
            assertThat(Caller.location(browser.login("local", "local"))).isEqualTo("/");
            assertThat(known.get("/api/sources").statusCode())
                    .describedAs("its keys are known")
                    .isEqualTo(200);

            keycloak.resume();
            Eventually.happens(
                    "browsers are sent there again",
                    () -> browser.get(TO_KEYCLOAK).statusCode() == 302);
            try (Caller again = Caller.anonymous(server)) {
                assertThat(Caller.location(throughKeycloak(again, "viewer"))).isEqualTo("/");
            }
        }
    }

    private static HttpResponse<String> throughKeycloak(Caller browser, String user) throws Exception {
        return browser.get(Caller.location(filledIn(browser, user)));
    }

    /** Sends the form, whose answer redirects to the server. */
    private static HttpResponse<String> filledIn(Caller browser, String user) throws Exception {
        HttpResponse<String> answer = browser.form(form(browser), Map.of("username", user, "password", user));
        assertThat(Caller.location(answer)).startsWith(server.address() + "/login/oauth2/code/oidc?");
        return answer;
    }

    /** The address of Keycloak's form for the password. */
    private static String form(Caller browser) throws Exception {
        String away = Caller.location(browser.get(TO_KEYCLOAK));
        Matcher form = FORM.matcher(browser.get(away).body());
        assertThat(form.find()).isTrue();
        return form.group(1).replace("&amp;", "&");
    }

    private static String token(String client, String user) throws Exception {
        return token(client, user, "access_token");
    }

    private static String token(String client, String user, String kind) throws Exception {
        Map<String, String> fields = Map.of(
                "grant_type",
                "password",
                "client_id",
                client,
                "client_secret",
                "change-me", // Public clients need none.
                "username",
                user,
                "password",
                user,
                "scope",
                "openid");
        try (Caller caller = Caller.anonymous(server)) {
            String answer = caller.form(keycloak.issuer() + "/protocol/openid-connect/token", fields)
                    .body();
            return JsonMapper.shared().readTree(answer).get(kind).stringValue();
        }
    }

    private static String part(String token, int index) {
        return new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[index]), StandardCharsets.UTF_8);
    }
}
