package catbox.server.access;

import catbox.server.config.OidcPlan;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** What the tokens of an OpenID provider have to be, and what they say about somebody. */
final class OidcTokens {

    static final Rights NOTHING = new Rights(null, false);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final Duration KEYS_INTERVAL = Duration.ofSeconds(10);
    private static final int KEYS_BYTES_MAX = 1 << 20;

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

    /**
     * The keys of the provider. A token that names a key which is not among them has them fetched again, since keys are
     * replaced now and then; but not as often as anybody sends such tokens.
     */
    static JWKSource<SecurityContext> keys(String address) {
        int millisMax = Math.toIntExact(ANSWER_MAX.toMillis());
        try {
            return JWKSourceBuilder.create(
                            URI.create(address).toURL(),
                            new DefaultResourceRetriever(millisMax, millisMax, KEYS_BYTES_MAX))
                    .refreshAheadCache(false)
                    .rateLimited(KEYS_INTERVAL.toMillis())
                    .build();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("the address of its keys is wrong: " + address, e);
        }
    }

    /** Checks tokens that are shown as they are, by whoever has one. */
    JwtDecoder accessTokens(JWKSource<SecurityContext> keys) {
        return decoder(keys, forThisServer(), new JwtTypeValidator("JWT", "at+jwt", "application/at+jwt"));
    }

    /** Checks what a browser brings back of a login. */
    JwtDecoder idTokens(JWKSource<SecurityContext> keys, ClientRegistration registration) {
        return decoder(keys, new OidcIdTokenValidator(registration), new JwtTypeValidator("JWT"));
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
