package catbox.server.access;

import catbox.server.config.OidcPlan;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

/** Validates the tokens of an OpenID provider, and reads rights from their claims. */
final class OidcTokens {

    private static final Set<String> ACCESS_TOKEN_TYPES = Set.of("at+jwt", "application/at+jwt");
    private static final List<String> CLAIMS_OF_ID_TOKENS = List.of("at_hash", "c_hash", "nonce");

    private final OidcPlan plan;

    OidcTokens(OidcPlan plan) {
        this.plan = plan;
    }

    /** Decodes tokens that a client sends, wherever it got them. */
    JwtDecoder bearers(JWKSource<SecurityContext> keys) {
        return decoder(keys, new DelegatingOAuth2TokenValidator<>(forThisServer(), noIdToken()), accessTokenTypes());
    }

    /** Decodes the access token that this server fetched during a login. */
    JwtDecoder fetchedAccessTokens(JWKSource<SecurityContext> keys) {
        return decoder(keys, fetchedByThisServer(), accessTokenTypes());
    }

    /** Decodes the ID token of a login. */
    JwtDecoder idTokens(JWKSource<SecurityContext> keys, ClientRegistration registration) {
        return decoder(keys, new OidcIdTokenValidator(registration), new JwtTypeValidator("JWT"));
    }

    private static JwtTypeValidator accessTokenTypes() {
        return new JwtTypeValidator("JWT", "at+jwt", "application/at+jwt");
    }

    private JwtDecoder decoder(
            JWKSource<SecurityContext> keys, OAuth2TokenValidator<Jwt> validator, JwtTypeValidator types) {
        types.setAllowEmpty(true);
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSource(keys)
                .jwsAlgorithms(algorithms -> Collections.addAll(algorithms, SignatureAlgorithm.values()))
                .build();
        decoder.setJwtValidator(JwtValidators.createDefaultWithValidators(
                List.of(types, new JwtIssuerValidator(plan.issuer()), validator)));
        return decoder;
    }

    /** Rejects tokens that were issued for another API of the same provider, whichever client requested them. */
    OAuth2TokenValidator<Jwt> forThisServer() {
        return new JwtAudienceValidator(plan.clientId());
    }

    /** Accepts tokens that this server requested: many providers name no audience in the access token of a login. */
    OAuth2TokenValidator<Jwt> fetchedByThisServer() {
        return token -> plan.clientId().equals(token.getClaimAsString("azp"))
                ? OAuth2TokenValidatorResult.success()
                : forThisServer().validate(token);
    }

    /**
     * Rejects ID tokens: they say who has logged in to an application, stay in browsers, and grant nothing. A token is
     * an access token if its header says so or, from Keycloak, its claim {@code typ}. Others are recognized by claims
     * that only ID tokens have.
     */
    private static OAuth2TokenValidator<Jwt> noIdToken() {
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

    /** Returns the rights that the roles in these claims grant; empty if the claims do not mention roles. */
    Optional<Rights> rights(Map<String, Object> claims) {
        @Nullable Object value = claims.get(plan.roleClaim()); // Some providers have names with dots in them.
        if (value == null) {
            value = claims;
            for (String part : plan.roleClaim().split("\\.", -1)) {
                value = value instanceof Map<?, ?> nested ? nested.get(part) : null;
            }
        }
        Stream<String> roles = switch (value) {
            case Collection<?> many -> many.stream().map(String::valueOf);
            case String text -> Arrays.stream(text.split("[\\s,]+", -1));
            case null, default -> null;
        };
        return Optional.ofNullable(roles).map(names -> Rights.ofNames(names.collect(Collectors.toUnmodifiableSet())));
    }
}
