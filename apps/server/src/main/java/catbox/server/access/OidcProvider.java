package catbox.server.access;

import catbox.server.config.OidcPlan;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.oauth2.client.endpoint.OAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.web.authentication.logout.LogoutSuccessHandler;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import outbox.spi.TimeSource;

/**
 * The OpenID provider, asked for its addresses when somebody first wants to get in by it: the server starts without it,
 * and everybody else gets in while it is down. It is not asked again at once after a failure, as Spring Security's
 * SupplierClientRegistrationRepository and SupplierJwtDecoder would do at every request.
 */
final class OidcProvider implements ClientRegistrationRepository {

    static final String ID = "oidc";

    /** After a failure nobody waits for the provider again so soon: wrong tokens must not keep the server busy. */
    private static final Duration REST = Duration.ofSeconds(5);

    /** How long an answer of the provider shows that it is there. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** How long somebody waits for an answer that another waits for: one that hangs must not hold up everybody. */
    private static final Duration QUEUE_MAX = Duration.ofSeconds(1);

    private final OidcPlan plan;
    private final String base;
    private final OidcTokens tokens;
    private final RestClient client;
    private final TimeSource time;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable Found found; // written by who holds the lock; read by any thread
    private volatile @Nullable Failure failure; // the same
    private long seenAtNanos; // when it last answered; of who holds the lock

    /** All that is made of what it says of itself, once. */
    private record Found(
            Map<String, Object> configuration,
            ClientRegistration registration,
            JwtDecoder bearers,
            JwtDecoder fetchedAccessTokens,
            JwtDecoder idTokens) {}

    private record Failure(RuntimeException cause, long atNanos) {}

    /**
     * The provider.
     *
     * @param publicUrl where browsers reach the server; empty when that is where their requests are sent to
     */
    OidcProvider(OidcPlan plan, Optional<URI> publicUrl, TimeSource time) {
        this.plan = plan;
        this.time = time;
        this.base = publicUrl.map(uri -> uri.toString().replaceAll("/+$", "")).orElse("{baseUrl}");
        this.tokens = new OidcTokens(plan);
        this.client = RestClient.builder().requestFactory(tokens.connections()).build();
    }

    // ---- finding it ------------------------------------------------------------------------------------------------

    @Override
    public @Nullable ClientRegistration findByRegistrationId(String registrationId) {
        return registrationId.equals(ID) ? found().registration() : null;
    }

    ClientRegistration registration() {
        return found().registration();
    }

    /** Whether it answers now, or did a moment ago: nobody is sent to a provider that is down. */
    boolean isReachable() {
        try {
            look();
            return true;
        } catch (OidcUnreachableException e) {
            return false;
        }
    }

    /** What is known of it, if need be from before it went down: tokens can be checked without it. */
    private Found found() {
        Found now = found;
        return now == null ? look() : now;
    }

    private Found look() {
        refuseWhileItRests();
        if (!mayAsk()) {
            throw new OidcUnreachableException(plan.issuer(), "it is being asked already");
        }
        try {
            refuseWhileItRests(); // Who waited here for another's failure does not try again.
            Found before = found;
            return before != null && time.nanoTime() - seenAtNanos < FRESH.toNanos() ? before : askedAnew(before);
        } finally {
            asking.unlock();
        }
    }

    private boolean mayAsk() {
        try {
            return asking.tryLock(QUEUE_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Found askedAnew(@Nullable Found before) {
        try {
            Map<String, Object> configuration = ask();
            Found now = before != null && before.configuration().equals(configuration) ? before : made(configuration);
            found = now;
            failure = null;
            seenAtNanos = time.nanoTime();
            return now;
        } catch (RuntimeException e) { // Whatever is wrong about it: it cannot be used.
            OidcUnreachableException unreachable = new OidcUnreachableException(plan.issuer(), e);
            if (failure == null) {
                LoginLog.providerFailed(String.valueOf(unreachable.getMessage()));
            }
            failure = new Failure(e, time.nanoTime());
            throw unreachable;
        }
    }

    private void refuseWhileItRests() {
        Failure last = failure;
        if (last != null && time.nanoTime() - last.atNanos() < REST.toNanos()) {
            throw new OidcUnreachableException(plan.issuer(), last.cause());
        }
    }

    private Map<String, Object> ask() {
        Map<String, Object> configuration = client.get()
                .uri(plan.issuer().replaceAll("/+$", "") + "/.well-known/openid-configuration")
                .retrieve()
                .body(new ParameterizedTypeReference<>() {});
        if (configuration == null || !plan.issuer().equals(configuration.get("issuer"))) {
            throw new IllegalStateException(
                    "it calls itself " + (configuration == null ? "nothing" : configuration.get("issuer")));
        }
        return configuration;
    }

    private Found made(Map<String, Object> configuration) {
        ClientRegistration registration = registration(configuration);
        JWKSource<SecurityContext> keys = OidcTokens.keys(
                Objects.requireNonNull(registration.getProviderDetails().getJwkSetUri(), "the provider names no keys"));
        return new Found(
                configuration,
                registration,
                tokens.bearers(keys),
                tokens.fetchedAccessTokens(keys),
                tokens.idTokens(keys, registration));
    }

    private ClientRegistration registration(Map<String, Object> configuration) {
        ClientRegistration.Builder builder = ClientRegistrations.fromOidcConfiguration(configuration)
                .registrationId(ID)
                .clientId(plan.clientId())
                .scope("openid", "profile")
                .redirectUri(base + "/login/oauth2/code/{registrationId}");
        plan.clientSecret()
                .ifPresentOrElse(
                        secret -> builder.clientSecret(secret.reveal()),
                        () -> builder.clientAuthenticationMethod(ClientAuthenticationMethod.NONE));
        return builder.build();
    }

    /** Where it is, for browsers. */
    String origin() {
        URI issuer = URI.create(plan.issuer());
        return issuer.getScheme() + "://" + issuer.getRawAuthority();
    }

    /** Ends the session there too: who logs out here would otherwise be let in again without a password. */
    LogoutSuccessHandler logouts(String page) {
        OidcClientInitiatedLogoutSuccessHandler there = new OidcClientInitiatedLogoutSuccessHandler(this);
        there.setDefaultTargetUrl(page);
        there.setPostLogoutRedirectUri(base + page);
        return (request, response, who) -> {
            if (who != null && who.getPrincipal() instanceof OidcUser && isReachable()) {
                there.onLogoutSuccess(request, response, who);
            } else {
                response.sendRedirect(page);
            }
        };
    }

    // ---- who somebody is -------------------------------------------------------------------------------------------

    /**
     * Who logged in with a browser. Many providers put roles into the access token alone, which is for us as well.
     *
     * @throws NoRoleException for who may do nothing here
     */
    OidcUser user(OidcUserRequest request) {
        Rights rights = tokens.rights(request.getIdToken().getClaims()).orElseGet(() -> {
            try {
                Jwt access = found().fetchedAccessTokens()
                        .decode(request.getAccessToken().getTokenValue());
                return tokens.rights(access.getClaims()).orElse(OidcTokens.NOTHING);
            } catch (JwtException e) {
                return OidcTokens.NOTHING;
            }
        });
        OidcUser user = new DefaultOidcUser(rights.authorities(), request.getIdToken());
        if (rights.role() == null) {
            throw new NoRoleException(Principal.ofProvider(user));
        }
        return user;
    }

    /** Who shows an access token. */
    AbstractAuthenticationToken authenticated(String token) {
        try {
            Jwt jwt = found().bearers().decode(token);
            Rights rights = tokens.rights(jwt.getClaims()).orElse(OidcTokens.NOTHING);
            return new JwtAuthenticationToken(jwt, rights.authorities(), Principal.ofProvider(jwt));
        } catch (BadJwtException e) {
            throw new InvalidBearerTokenException("the token is neither known nor one of the OpenID provider", e);
        } catch (JwtException e) { // The keys could not be had: nothing is known of the token.
            if (e.getCause() instanceof RateLimitReachedException) {
                throw new InvalidBearerTokenException(
                        "the token names a key that the OpenID provider does not have", e);
            }
            throw new OidcUnreachableException(plan.issuer(), e);
        }
    }

    /** Checks what a browser brings back. */
    JwtDecoder idTokens() {
        return found().idTokens();
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
        return code -> {
            try {
                return codes.getTokenResponse(code);
            } catch (OAuth2AuthorizationException e) {
                if (e.getCause() instanceof ResourceAccessException away) {
                    throw new OidcUnreachableException(plan.issuer(), away);
                }
                throw e;
            }
        };
    }
}
