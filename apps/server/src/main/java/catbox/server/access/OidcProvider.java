package catbox.server.access;

import catbox.server.config.OidcPlan;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.oauth2.client.endpoint.OAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.web.client.RestClient;
import outbox.util.TimeSource;

/**
 * The OpenID provider, asked for its addresses when somebody first wants to get in by it: the server starts without it,
 * and everybody else gets in while it is down.
 */
final class OidcProvider implements ClientRegistrationRepository {

    static final String ID = "oidc";

    /** After a failure nobody waits for the provider again so soon: wrong tokens must not keep the server busy. */
    private static final Duration REST = Duration.ofSeconds(5);

    private final OidcPlan plan;
    private final String redirectUri;
    private final OidcTokens tokens;
    private final RestClient client;
    private final TimeSource time;
    private volatile @Nullable Found found; // written under this; read by any thread
    private volatile @Nullable Failure failure; // the same

    private record Found(ClientRegistration registration, JwtDecoder accessTokens) {}

    private record Failure(RuntimeException cause, long atNanos) {}

    /**
     * The provider.
     *
     * @param publicUrl where browsers reach the server; empty when that is where their requests are sent to
     */
    OidcProvider(OidcPlan plan, Optional<URI> publicUrl, TimeSource time) {
        this.plan = plan;
        this.time = time;
        String base = publicUrl.map(uri -> uri.toString().replaceAll("/+$", "")).orElse("{baseUrl}");
        this.redirectUri = base + "/login/oauth2/code/{registrationId}";
        this.tokens = new OidcTokens(plan);
        this.client = RestClient.builder().requestFactory(tokens.connections()).build();
    }

    // ---- finding it ------------------------------------------------------------------------------------------------

    @Override
    public @Nullable ClientRegistration findByRegistrationId(String registrationId) {
        return registrationId.equals(ID) ? found().registration() : null;
    }

    /** Whether it can be asked now; found once, it is taken to be there. */
    boolean isReachable() {
        try {
            found();
            return true;
        } catch (OidcUnreachableException e) {
            return false;
        }
    }

    private Found found() {
        Found now = found;
        return now == null ? findUnlessItJustFailed() : now;
    }

    private Found findUnlessItJustFailed() {
        refuseWhileItRests();
        synchronized (this) {
            Found now = found;
            if (now != null) {
                return now;
            }
            refuseWhileItRests(); // Who waited here for another's failure does not try again.
            try {
                Found first = find();
                found = first;
                return first;
            } catch (RuntimeException e) { // Whatever is wrong about it: it cannot be used.
                failure = new Failure(e, time.nanoTime());
                throw new OidcUnreachableException(plan.issuer(), e);
            }
        }
    }

    private void refuseWhileItRests() {
        Failure last = failure;
        if (last != null && time.nanoTime() - last.atNanos() < REST.toNanos()) {
            throw new OidcUnreachableException(plan.issuer(), last.cause());
        }
    }

    private Found find() {
        Map<String, Object> configuration = client.get()
                .uri(plan.issuer().replaceAll("/+$", "") + "/.well-known/openid-configuration")
                .retrieve()
                .body(new ParameterizedTypeReference<>() {});
        if (configuration == null || !plan.issuer().equals(configuration.get("issuer"))) {
            throw new IllegalStateException(
                    "it calls itself " + (configuration == null ? "nothing" : configuration.get("issuer")));
        }
        ClientRegistration registration = registration(configuration);
        return new Found(registration, tokens.decoder(keys(registration), tokens.forThisServer()));
    }

    private static String keys(ClientRegistration registration) {
        return Objects.requireNonNull(registration.getProviderDetails().getJwkSetUri(), "the provider names no keys");
    }

    private ClientRegistration registration(Map<String, Object> configuration) {
        ClientRegistration.Builder builder = ClientRegistrations.fromOidcConfiguration(configuration)
                .registrationId(ID)
                .clientId(plan.clientId())
                .scope("openid", "profile")
                .redirectUri(redirectUri);
        plan.clientSecret()
                .ifPresentOrElse(
                        secret -> builder.clientSecret(secret.reveal()),
                        () -> builder.clientAuthenticationMethod(ClientAuthenticationMethod.NONE));
        return builder.build();
    }

    // ---- who somebody is -------------------------------------------------------------------------------------------

    /** Who logged in with a browser. Many providers put roles into the access token alone, which is for us as well. */
    OidcUser user(OidcUserRequest request) {
        Rights rights = tokens.rights(request.getIdToken().getClaims()).orElseGet(() -> {
            try {
                Jwt access =
                        found().accessTokens().decode(request.getAccessToken().getTokenValue());
                return tokens.rights(access.getClaims()).orElse(OidcTokens.NOTHING);
            } catch (JwtException e) {
                return OidcTokens.NOTHING;
            }
        });
        return new DefaultOidcUser(rights.authorities(), request.getIdToken());
    }

    /** Who shows an access token. */
    AbstractAuthenticationToken authenticated(String token) {
        try {
            Jwt jwt = found().accessTokens().decode(token);
            Rights rights = tokens.rights(jwt.getClaims()).orElse(OidcTokens.NOTHING);
            return new JwtAuthenticationToken(jwt, rights.authorities(), Person.ofProvider(jwt));
        } catch (JwtException e) {
            throw new InvalidBearerTokenException("the token is neither known nor one of the OpenID provider", e);
        }
    }

    /** Checks what a browser brings back. */
    JwtDecoder idTokens(ClientRegistration registration) {
        return tokens.decoder(keys(registration), new OidcIdTokenValidator(registration));
    }

    /** Fetches tokens, and waits no longer than for anything else. */
    OAuth2AccessTokenResponseClient<OAuth2AuthorizationCodeGrantRequest> codes() {
        RestClientAuthorizationCodeTokenResponseClient codes = new RestClientAuthorizationCodeTokenResponseClient();
        codes.setRestClient(RestClient.builder()
                .requestFactory(tokens.connections())
                .configureMessageConverters(converters -> converters
                        .disableDefaults()
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
                .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                .build());
        return codes;
    }
}
