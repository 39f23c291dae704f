package catbox.server.access;

import catbox.server.config.OidcPlan;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
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
 * The OpenID provider. Its configuration is fetched at the first login or token, so the server starts without it, and
 * other users get in while it is down. After a failure it is left alone for some seconds, whereas Spring Security's
 * SupplierClientRegistrationRepository and SupplierJwtDecoder would call it at every request.
 */
final class OidcProvider implements ClientRegistrationRepository {

    static final String ID = "oidc";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** After a failure no request waits for the provider for this long: wrong tokens must not keep the server busy. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    /** How long an answer proves that the provider is reachable. */
    private static final Duration FRESH_FOR = Duration.ofSeconds(1);

    /** How long a request waits for another one's answer: a provider that hangs must not block all of them. */
    private static final Duration QUEUE_MAX = Duration.ofSeconds(1);

    private final OidcPlan plan;
    private final String base;
    private final OidcTokens tokens;
    private final RestClient client;
    private final TimeSource time;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile @Nullable Discovered discovered; // written by the owner of the lock, read by any thread
    private volatile @Nullable Failure failure; // the same
    private long answeredAtNanos; // guarded by the lock

    /** The provider's configuration and what is made of it, once. */
    private record Discovered(
            Map<String, Object> configuration,
            ClientRegistration registration,
            JwtDecoder bearers,
            JwtDecoder fetchedAccessTokens,
            JwtDecoder idTokens) {}

    private record Failure(RuntimeException cause, long atNanos) {}

    /**
     * Makes the provider and calls nothing.
     *
     * @param publicUrl the server's address for browsers; empty if that is the address that they send requests to
     */
    OidcProvider(OidcPlan plan, Optional<URI> publicUrl, TimeSource time) {
        this.plan = plan;
        this.time = time;
        this.base = publicUrl.map(uri -> uri.toString().replaceAll("/+$", "")).orElse("{baseUrl}");
        this.tokens = new OidcTokens(plan);
        SimpleClientHttpRequestFactory connections = new SimpleClientHttpRequestFactory();
        connections.setConnectTimeout(TIMEOUT);
        connections.setReadTimeout(TIMEOUT);
        this.client = RestClient.builder()
                .requestFactory(connections)
                .configureMessageConverters(converters -> converters
                        .registerDefaults()
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
                .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                .build();
    }

    // ---- discovery -------------------------------------------------------------------------------------------------

    @Override
    public @Nullable ClientRegistration findByRegistrationId(String registrationId) {
        return registrationId.equals(ID) ? registration() : null;
    }

    ClientRegistration registration() {
        return discovered().registration();
    }

    /** Returns whether the provider answers now, or did within the last second. */
    boolean isReachable() {
        try {
            discover();
            return true;
        } catch (OidcUnreachableException e) {
            return false;
        }
    }

    /** Returns what is known of the provider, even if it is down now: tokens can be checked without it. */
    private Discovered discovered() {
        Discovered known = discovered;
        return known == null ? discover() : known;
    }

    private Discovered discover() {
        throwIfFailedRecently();
        if (!lock()) {
            throw unreachable(new TimeoutException("another request waits for its answer"));
        }
        try {
            throwIfFailedRecently(); // Another request may have failed while this one waited.
            Discovered known = discovered;
            return known != null && time.nanoTime() - answeredAtNanos < FRESH_FOR.toNanos() ? known : fetch(known);
        } finally {
            fetching.unlock();
        }
    }

    private boolean lock() {
        try {
            return fetching.tryLock(QUEUE_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void throwIfFailedRecently() {
        Failure last = failure;
        if (last != null && time.nanoTime() - last.atNanos() < RETRY_AFTER.toNanos()) {
            throw unreachable(last.cause());
        }
    }

    private Discovered fetch(@Nullable Discovered known) {
        try {
            Map<String, Object> configuration = fetchConfiguration();
            Discovered current =
                    known != null && known.configuration().equals(configuration) ? known : discovered(configuration);
            discovered = current;
            failure = null;
            answeredAtNanos = time.nanoTime();
            return current;
        } catch (RuntimeException e) { // Whatever is wrong with the configuration, it cannot be used.
            OidcUnreachableException unreachable = unreachable(e);
            if (failure == null) {
                LoginLog.providerFailed(String.valueOf(unreachable.getMessage()));
            }
            failure = new Failure(e, time.nanoTime());
            throw unreachable;
        }
    }

    private Map<String, Object> fetchConfiguration() {
        Map<String, Object> configuration = client.get()
                .uri(plan.issuer().replaceAll("/+$", "") + "/.well-known/openid-configuration")
                .retrieve()
                .body(new ParameterizedTypeReference<>() {});
        Object issuer = configuration == null ? null : configuration.get("issuer");
        if (configuration == null || !plan.issuer().equals(issuer)) {
            throw new IllegalStateException("its configuration names the issuer " + issuer);
        }
        return configuration;
    }

    private Discovered discovered(Map<String, Object> configuration) {
        ClientRegistration registration = registration(configuration);
        String address = registration.getProviderDetails().getJwkSetUri();
        JWKSource<SecurityContext> keys =
                new ProviderKeys(Objects.requireNonNull(address, "its configuration has no jwks_uri"), TIMEOUT);
        return new Discovered(
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

    private OidcUnreachableException unreachable(Exception cause) {
        return new OidcUnreachableException(plan.issuer(), cause);
    }

    // ---- browsers --------------------------------------------------------------------------------------------------

    /** The provider's address for browsers. */
    String origin() {
        URI issuer = URI.create(plan.issuer());
        return issuer.getScheme() + "://" + issuer.getRawAuthority();
    }

    /** Logs out at the provider too: it would otherwise let the same user in again without a password. */
    LogoutSuccessHandler logouts(String page) {
        OidcClientInitiatedLogoutSuccessHandler handler = new OidcClientInitiatedLogoutSuccessHandler(this);
        handler.setDefaultTargetUrl(page);
        handler.setPostLogoutRedirectUri(base + page);
        return (request, response, user) -> {
            if (user != null && user.getPrincipal() instanceof OidcUser && isReachable()) {
                handler.onLogoutSuccess(request, response, user);
            } else {
                response.sendRedirect(page);
            }
        };
    }

    /** Exchanges the code of a login for its tokens, with our timeouts. */
    OAuth2AccessTokenResponseClient<OAuth2AuthorizationCodeGrantRequest> codes() {
        RestClientAuthorizationCodeTokenResponseClient codes = new RestClientAuthorizationCodeTokenResponseClient();
        codes.setRestClient(client);
        return code -> {
            try {
                return codes.getTokenResponse(code);
            } catch (OAuth2AuthorizationException e) {
                throw e.getCause() instanceof ResourceAccessException noAnswer ? unreachable(noAnswer) : e;
            }
        };
    }

    /** Decodes the ID token of a login. */
    JwtDecoder idTokens() {
        return discovered().idTokens();
    }

    /**
     * Returns the user of a login. Many providers put roles only into the access token, so that is read as well.
     *
     * @throws NoRoleException if the user has none of our roles
     */
    OidcUser user(OidcUserRequest request) {
        Rights rights = tokens.rights(request.getIdToken().getClaims()).orElseGet(() -> accessTokenRights(request));
        OidcUser user = new DefaultOidcUser(rights.authorities(), request.getIdToken());
        if (rights.role() == null) {
            throw new NoRoleException(Principal.nameOf(user));
        }
        return user;
    }

    private Rights accessTokenRights(OidcUserRequest request) {
        try {
            String token = request.getAccessToken().getTokenValue();
            return rights(discovered().fetchedAccessTokens().decode(token));
        } catch (JwtException e) {
            return Rights.NONE;
        }
    }

    // ---- bearer tokens ---------------------------------------------------------------------------------------------

    /** Authenticates an access token. */
    AbstractAuthenticationToken authenticate(String token) {
        try {
            Jwt jwt = discovered().bearers().decode(token);
            return new JwtAuthenticationToken(jwt, rights(jwt).authorities(), Principal.nameOf(jwt));
        } catch (BadJwtException e) {
            throw new InvalidBearerTokenException(
                    "unknown token: neither one of the server's file nor an access token for this server", e);
        } catch (JwtException e) { // The keys could not be fetched.
            throw unreachable(e);
        }
    }

    private Rights rights(Jwt token) {
        return tokens.rights(token.getClaims()).orElse(Rights.NONE);
    }
}
