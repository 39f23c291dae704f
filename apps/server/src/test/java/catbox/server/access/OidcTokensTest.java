package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.server.config.OidcPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import outbox.admin.Role;

class OidcTokensTest {

    @Test
    void findsRolesInTheConfiguredClaim() {
        assertThat(tokens("realm_access.roles")
                        .rights(Map.of("realm_access", Map.of("roles", List.of("catbox-admin", "x")))))
                .contains(new Rights(Role.ADMIN, false));
        assertThat(tokens("groups").rights(Map.of("groups", "catbox-viewer catbox-payload-read")))
                .contains(new Rights(Role.VIEWER, true));
        assertThat(tokens("https://example.com/roles")
                        .rights(Map.of("https://example.com/roles", List.of("catbox-operator"))))
                .contains(new Rights(Role.OPERATOR, false));
        assertThat(tokens("realm_access.roles").rights(Map.of("realm_access", "none")))
                .isEmpty();
    }

    @Test
    void rejectsTokensThatWereIssuedForOthers() {
        OAuth2TokenValidator<Jwt> shown = tokens("roles").forThisServer();
        assertThat(validates(shown, Map.of("aud", List.of("other", "catbox")))).isTrue();
        assertThat(validates(shown, Map.of("aud", List.of("other"), "azp", "catbox")))
                .isFalse();
        assertThat(validates(shown, Map.of("azp", "catbox"))).isFalse();

        OAuth2TokenValidator<Jwt> fetched = tokens("roles").fetchedByThisServer();
        assertThat(validates(fetched, Map.of("aud", List.of("other"), "azp", "catbox")))
                .isTrue();
        assertThat(validates(fetched, Map.of("aud", List.of("catbox")))).isTrue();
        assertThat(validates(fetched, Map.of("azp", "other"))).isFalse();
        assertThat(validates(fetched, Map.of("aud", List.of("other")))).isFalse();
    }

    private static boolean validates(OAuth2TokenValidator<Jwt> validator, Map<String, Object> claims) {
        Jwt token = Jwt.withTokenValue("t")
                .header("alg", "none")
                .claims(all -> all.putAll(claims))
                .build();
        return !validator.validate(token).hasErrors();
    }

    private static OidcTokens tokens(String claim) {
        return new OidcTokens(new OidcPlan("https://id.example.com", "catbox", Optional.empty(), claim));
    }
}
