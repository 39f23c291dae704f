package catbox.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.admin.Role;

class AccessReaderTest {

    private static final String HASH = "{bcrypt}$2a$10$" + "a".repeat(53);
    private static final String SHA = "0".repeat(64);

    private static final String REST = """
            sources: { orders: { url: 'jdbc:h2:mem:orders' } }
            destinations: { archive: { kind: http, base-url: 'https://example.com' } }
            """;

    @Test
    void refusesEveryRequestWithoutLogins() {
        AccessPlan access = read("");

        assertThat(access.hasLogins()).isFalse();
        assertThat(access.sessions().idleMax()).isEqualTo(Duration.ofHours(8));
        assertThat(access.sessions().lastsMax()).isEqualTo(Duration.ofHours(12));
        assertThat(access.trustedProxies()).isEmpty();
        assertThat(access.sessions().secureCookies()).isFalse();
    }

    @Test
    void readsUsersTokensAndAProvider() {
        AccessPlan access = read("""
                access:
                  users:
                    - { name: anna, password: "%s", role: operator, payload-read: true }
                    - { name: bert@example.com, password: env:BERT }
                  tokens:
                    - { name: ci, sha256: "%s", role: admin }
                  oidc: { issuer: https://id.example.com/realms/catbox, client-id: catbox, client-secret: env:OIDC }
                  session-idle-timeout: 30m
                  public-url: https://catbox.example.com
                """.formatted(HASH, SHA));

        assertThat(access.users()).extracting(AccessPlan.User::name).containsExactly("anna", "bert@example.com");
        assertThat(access.users()).extracting(AccessPlan.User::role).containsExactly(Role.OPERATOR, Role.VIEWER);
        assertThat(access.users()).extracting(AccessPlan.User::payloadRead).containsExactly(true, false);
        assertThat(access.tokens()).containsExactly(new AccessPlan.Token("ci", SHA, Role.ADMIN, false));
        OidcPlan oidc = access.oidc().orElseThrow();
        assertThat(oidc.issuer()).isEqualTo("https://id.example.com/realms/catbox");
        assertThat(oidc.roleClaim()).isEqualTo("realm_access.roles");
        assertThat(oidc.clientSecret().orElseThrow().reveal()).isEqualTo("from the environment");
        assertThat(access.sessions().publicUrl()).contains(URI.create("https://catbox.example.com"));
        assertThat(access.sessions().secureCookies()).isTrue();
        assertThat(access.toString()).doesNotContain(HASH, SHA, "from the environment");
    }

    @ParameterizedTest
    @CsvSource({"auto, http://catbox, false", "auto, https://catbox, true", "true, http://catbox, true"})
    void cookiesAreSecureIfThePublicUrlIsHttps(String setting, String publicUrl, boolean secure) {
        AccessPlan access = read("access: { secure-cookies: %s, public-url: %s }".formatted(setting, publicUrl));

        assertThat(access.sessions().secureCookies()).isEqualTo(secure);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "users: [ { name: anna, password: hunter2 } ]|line 1: user anna: setting password must be a hash",
                "users: [ { name: anna, password: '{noop}hunter2' } ]|user anna: setting password must be a hash",
                "users: [ { name: anna } ]|line 1: user anna: setting password is missing",
                "users: [ { password: 'H' } ]|line 1: user: setting name is missing",
                "users: [ { name: 'token:ci', password: 'H' } ]|setting name has letters, digits",
                "users: [ { name: anna, password: 'H', role: root } ]|setting role must be one of [viewer, operator, admin]",
                "users: [ { name: anna, password: 'H', rol: admin } ]|user anna: unknown settings [rol]",
                "users: [ { name: a, password: 'H' }, { name: a, password: 'H' } ]|two users are named a",
                "users: anna|access.users must be a list",
                "tokens: [ { name: ci, sha256: abc } ]|token ci: setting sha256 must be the 64 hexadecimal digits",
                "oidc: { client-id: catbox }|line 1: access: setting oidc.issuer is missing",
                "oidc: { issuer: here, client-id: catbox }|setting oidc.issuer must be such as https://",
                "oidc: { issuer: 'https://id' }|access: setting oidc.client-id is missing",
                "session-idle-timeout: 1s|setting session-idle-timeout must be from 1m to 30d",
                "session-lifetime: 31d|setting session-lifetime must be from 1s to 30d",
                "public-url: 'https://example.com/catbox'|setting public-url must be a host of its own, such as",
                "trusted-proxies: '10.0.0.0/33'|setting trusted-proxies must be addresses or ranges such as 10.0.0.7",
                "trusted-proxies: 'proxy.example.com'|setting trusted-proxies must be addresses or ranges",
                "trusted-proxies: '10.0.0.1,'|setting trusted-proxies must be addresses or ranges",
                "sesion: 1h|access: unknown settings [sesion]; there are [oidc.client-id,"
            })
    void reportsWhatIsWrong(String access, String error) {
        WrongConfigException wrong = catchThrowableOfType(
                WrongConfigException.class, () -> read("access: { " + access.replace("'H'", "'" + HASH + "'") + " }"));

        assertThat(String.join("\n", wrong.errors())).contains(error).doesNotContain("hunter2", SHA);
    }

    @Test
    void isBehindAProxyThatItNames() {
        assertThat(read("").isBehindProxy()).isFalse();
        assertThat(read("access: { public-url: 'https://catbox.example.com' }").isBehindProxy())
                .isTrue();
        assertThat(read("access: { trusted-proxies: 10.0.0.7 }").isBehindProxy())
                .isTrue();
    }

    @Test
    void aChangeNeedsARestart() {
        ServerConfig before = config("");
        ServerConfig after = config("access: { session-idle-timeout: 1h }");

        assertThat(before.changesThatNeedARestart(after))
                .isEqualTo(List.of("access was changed, which needs a restart"));
        assertThat(before.changesThatNeedARestart(config(""))).isEmpty();
    }

    private static AccessPlan read(String yaml) {
        return config(yaml).access();
    }

    private static ServerConfig config(String yaml) {
        Map<String, String> environment = Map.of("BERT", HASH, "OIDC", "from the environment", "HOSTNAME", "node");
        return new ServerConfigReader(environment::get).read("catbox.yaml", yaml + "\n" + REST);
    }
}
