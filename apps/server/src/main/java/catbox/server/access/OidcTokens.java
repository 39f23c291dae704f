package catbox.server.access;

import catbox.server.config.OidcPlan;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.web.client.RestTemplate;

/** What the tokens of an OpenID provider have to be, and what they say about somebody. */
final class OidcTokens {

    static final Rights NOTHING = new Rights(null, false);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private final OidcPlan plan;

    OidcTokens(OidcPlan plan) {
        this.plan = plan;
    }

    /** Connections that a provider that hangs does not hold for long. */
    ClientHttpRequestFactory connections() {
        SimpleClientHttpRequestFactory connections = new SimpleClientHttpRequestFactory();
        connections.setConnectTimeout(ANSWER_MAX);
        connections.setReadTimeout(ANSWER_MAX);
        return connections;
    }

    JwtDecoder decoder(String keys, OAuth2TokenValidator<Jwt> alsoValid) {
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSetUri(keys)
                .restOperations(new RestTemplate(connections()))
                .discoverJwsAlgorithms()
                .build();
        decoder.setJwtValidator(JwtValidators.createDefaultWithValidators(
                List.of(JwtValidators.createDefaultWithIssuer(plan.issuer()), alsoValid)));
        return decoder;
    }

    /** A token that was made for another application of the same provider opens nothing here. */
    OAuth2TokenValidator<Jwt> forThisServer() {
        return token -> plan.clientId().equals(token.getClaimAsString("azp"))
                        || Optional.ofNullable(token.getAudience())
                                .filter(audience -> audience.contains(plan.clientId()))
                                .isPresent()
                ? OAuth2TokenValidatorResult.success()
                : OAuth2TokenValidatorResult.failure(new OAuth2Error(
                        "invalid_token", "the token was made for another client than " + plan.clientId(), null));
    }

    /** What the roles in these claims allow; empty when they say nothing of roles. */
    Optional<Rights> rights(Map<String, Object> claims) {
        return roles(claims).map(Rights::ofNames);
    }

    private Optional<Set<String>> roles(Map<String, Object> claims) {
        @Nullable Object value = claims.get(plan.roleClaim()); // Some providers have names with dots in them.
        if (value == null) {
            value = claims;
            for (String part : plan.roleClaim().split("\\.", -1)) {
                value = value instanceof Map<?, ?> nested ? nested.get(part) : null;
            }
        }
        if (value instanceof Collection<?> many) {
            return Optional.of(many.stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet()));
        }
        return value instanceof String text
                ? Optional.of(Arrays.stream(text.split("[\\s,]+", -1)).collect(Collectors.toUnmodifiableSet()))
                : Optional.empty();
    }
}
