package catbox.server.config;

import java.util.Optional;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * An OpenID provider, whose users may log in.
 *
 * @param clientSecret empty for a public client
 * @param roleClaim the claim of a token that has the roles, nested names joined by dots
 */
public record OidcPlan(String issuer, String clientId, Optional<Secret> clientSecret, String roleClaim) {

    private static final String ROLE_CLAIM_DEFAULT = "realm_access.roles";

    /** The provider; empty when none of its settings is given. */
    static Optional<OidcPlan> read(Settings settings) {
        Optional<String> issuer = settings.parsed(
                "oidc.issuer", text -> AccessPlan.webAddress(text).toString());
        Optional<String> clientId = settings.text("oidc.client-id");
        Optional<Secret> clientSecret = settings.secret("oidc.client-secret");
        Optional<String> roleClaim = settings.text("oidc.role-claim");
        settings.requireAllKnown(); // Before what is required, so that a misspelt name is reported.
        if (issuer.isEmpty() && clientId.isEmpty() && clientSecret.isEmpty() && roleClaim.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new OidcPlan(
                issuer.orElseThrow(() -> settings.wrong("oidc.issuer", "is missing")),
                clientId.orElseThrow(() -> settings.wrong("oidc.client-id", "is missing")),
                clientSecret,
                roleClaim.orElse(ROLE_CLAIM_DEFAULT)));
    }
}
