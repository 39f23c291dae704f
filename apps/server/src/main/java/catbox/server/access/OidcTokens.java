package catbox.server.access;

import catbox.server.config.OidcPlan;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** What the tokens of an OpenID provider have to be, and what they say about somebody. */
final class OidcTokens {

    static final Rights NOTHING = new Rights(null, false);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final Set<String> ACCESS_TOKEN_TYPES = Set.of("at+jwt", "application/at+jwt");
    private static final List<String> CLAIMS_OF_ID_TOKENS = List.of("at_hash", "c_hash", "nonce");

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

    static JWKSource<SecurityContext> keys(String address) {
        return new ProviderKeys(address, ANSWER_MAX);
    }

    /** Checks tokens that are shown as they are, by whoever has one. */
    JwtDecoder bearers(JWKSource<SecurityContext> keys) {
        return decoder(keys, new DelegatingOAuth2TokenValidator<>(forThisServer(), noIdToken()), accessTokenTypes());
    }

    /** Checks the access token that this server has fetched itself, for somebody who logs in. */
    JwtDecoder fetchedAccessTokens(JWKSource<SecurityContext> keys) {
        return decoder(keys, fetchedByThisServer(), accessTokenTypes());
    }

    /** Checks what a browser brings back of a login. */
    JwtDecoder idTokens(JWKSource<SecurityContext> keys, ClientRegistration registration) {
        return decoder(keys, new OidcIdTokenValidator(registration), new JwtTypeValidator("JWT"));
    }

    private static JwtTypeValidator accessTokenTypes() {
        return new JwtTypeValidator("JWT", "at+jwt", "application/at+jwt");
    }

    private JwtDecoder decoder(
            JWKSource<SecurityContext> keys, OAuth2TokenValidator<Jwt> alsoValid, JwtTypeValidator types) {
        types.setAllowEmpty(true);
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSource(keys)
                .jwsAlgorithms(algorithms -> Collections.addAll(algorithms, SignatureAlgorithm.values()))
                .build();
        decoder.setJwtValidator(JwtValidators.createDefaultWithValidators(
                List.of(types, new JwtIssuerValidator(plan.issuer()), alsoValid)));
        return decoder;
    }

    /** A token that was made for another API of the same provider opens nothing here, whoever has asked for it. */
    OAuth2TokenValidator<Jwt> forThisServer() {
        return new JwtAudienceValidator(plan.clientId());
    }

    /** Many providers name no audience in what a login gets: then it counts that this server has asked for it. */
    OAuth2TokenValidator<Jwt> fetchedByThisServer() {
        return token -> plan.clientId().equals(token.getClaimAsString("azp"))
                ? OAuth2TokenValidatorResult.success()
                : forThisServer().validate(token);
    }

    /**
     * An ID token tells an application who has logged in, and is left in the hands of browsers: whoever shows one has not
     * been allowed to do anything. What calls itself an access token is one, by its header or, as Keycloak does, by a
     * claim; of the rest what only ID tokens have gives them away.
     */
    OAuth2TokenValidator<Jwt> noIdToken() {
        return token -> {
            String header = String.valueOf(token.getHeaders().get("typ")).toLowerCase(Locale.ROOT);
            String claim = token.getClaimAsString("typ");
            boolean accessToken = ACCESS_TOKEN_TYPES.contains(header)
                    || (claim == null
                            ? CLAIMS_OF_ID_TOKENS.stream().noneMatch(token::hasClaim)
                            : claim.equalsIgnoreCase("Bearer"));
            return accessToken
                    ? OAuth2TokenValidatorResult.success()
                    : OAuth2TokenValidatorResult.failure(
                            new OAuth2Error("invalid_token", "the token is no access token", null));
        };
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
