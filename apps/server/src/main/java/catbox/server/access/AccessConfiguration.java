package catbox.server.access;

import catbox.server.config.AccessPlan;
import catbox.server.config.ConfigFile;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.Optional;
import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.annotation.web.configurers.SessionManagementConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.AbstractSecurityWebApplicationInitializer;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import outbox.admin.Role;
import outbox.spi.TimeSource;
import tools.jackson.databind.json.JsonMapper;

/** Configures authentication, authorization, CSRF protection and headers. Paths that are not listed need a role. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
public class AccessConfiguration {

    private static final String CONTENT_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none';"
            + " base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
    private static final Customizer<SessionManagementConfigurer<HttpSecurity>> NO_SESSIONS =
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS);
    private static final RequestMatcher API = PathPatternRequestMatcher.pathPattern("/api/**");

    private final AccessPlan plan;
    private final Optional<OidcProvider> provider;
    private final ClientAddress address;

    AccessConfiguration(ConfigFile file) {
        this.plan = file.started().access();
        this.provider =
                plan.oidc().map(oidc -> new OidcProvider(oidc, plan.sessions().publicUrl(), TimeSource.SYSTEM));
        this.address = new ClientAddress(plan.trustedProxies());
        if (!plan.hasLogins()) {
            LoginLog.accessNotConfigured(file.path().toString());
        }
    }

    @Bean
    DelegatingFilterProxyRegistrationBean accessFilter() {
        DelegatingFilterProxyRegistrationBean filter = new DelegatingFilterProxyRegistrationBean(
                AbstractSecurityWebApplicationInitializer.DEFAULT_FILTER_NAME);
        filter.setOrder(-100); // Before all other filters.
        filter.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return filter;
    }

    @Bean
    AccessErrors accessErrors(JsonMapper mapper) {
        return new AccessErrors(mapper, plan.hasLogins());
    }

    /**
     * Health, metrics and a reload are for programs and need no authentication. A token gives access to more: details
     * of the health, and a reload from another machine. Sessions are ignored, so no page of another site can use them.
     */
    @Bean
    @Order(1)
    SecurityFilterChain operating(HttpSecurity http, AccessErrors errors) {
        http.securityMatcher("/actuator", "/actuator/**", "/reload")
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(NO_SESSIONS);
        bearerTokens(http, errors);
        return http.build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain consoleAndApi(HttpSecurity http, AccessErrors errors) {
        SessionLifetime lifetime = new SessionLifetime(plan.sessions().lastsMax(), TimeSource.SYSTEM);
        LoginPages pages = new LoginPages(plan.sessions(), address, lifetime);
        http.addFilterBefore(lifetime, SecurityContextHolderFilter.class);
        http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                        DispatcherType.ASYNC, DispatcherType.ERROR)
                .permitAll() // The request that they belong to was let in.
                .requestMatchers(HttpMethod.GET, "/login", "/assets/**")
                .permitAll()
                .anyRequest()
                .hasAnyAuthority(Rights.name(Role.VIEWER), Rights.name(Role.OPERATOR), Rights.name(Role.ADMIN)));
        http.authenticationProvider(new PasswordLogins(plan.users(), new LoginThrottle(TimeSource.SYSTEM)));
        http.formLogin(form -> form.loginPage("/login")
                .authenticationDetailsSource(address::of)
                .successHandler(pages.loggedIn())
                .failureHandler(pages.failed()));
        http.logout(logout -> logout.deleteCookies(LoginPages.SESSION_COOKIE).logoutSuccessUrl(LoginPages.LOGGED_OUT));
        http.requestCache(cache -> cache.requestCache(pages.savedRequests()));
        bearerTokens(http, errors);
        http.csrf(csrf -> csrf.csrfTokenRepository(csrfTokens()));
        http.headers(this::headers);
        http.exceptionHandling(handling -> handling.defaultAuthenticationEntryPointFor(errors, API)
                .defaultAuthenticationEntryPointFor(pages.entryPoint(), request -> !API.matches(request))
                .defaultAccessDeniedHandlerFor(errors, API));
        provider.ifPresent(oidc -> oidcLogin(http, oidc, pages));
        return http.build();
    }

    private void bearerTokens(HttpSecurity http, AccessErrors errors) {
        BearerTokens bearers = new BearerTokens(plan.tokens(), provider); // A bean would also get the passwords.
        http.oauth2ResourceServer(tokens -> tokens.authenticationManagerResolver(request -> bearers)
                .authenticationEntryPoint(errors)
                .accessDeniedHandler(errors));
    }

    private void oidcLogin(HttpSecurity http, OidcProvider oidc, LoginPages pages) {
        PendingLoginCookie pending = new PendingLoginCookie(plan.sessions().secureCookies(), TimeSource.SYSTEM);
        http.logout(logout -> logout.logoutSuccessHandler(oidc.logouts(LoginPages.LOGGED_OUT)));
        http.oauth2Login(login -> login.loginPage("/login")
                .clientRegistrationRepository(oidc)
                .authorizationEndpoint(endpoint -> endpoint.authorizationRequestRepository(pending))
                .authorizedClientRepository(new HttpSessionOAuth2AuthorizedClientRepository())
                .tokenEndpoint(tokens -> tokens.accessTokenResponseClient(oidc.codes()))
                .userInfoEndpoint(info -> info.oidcUserService(oidc::user))
                .successHandler(pages.loggedIn())
                .failureHandler(pages.failed()));
        http.addFilterBefore(pages.providerCheck(oidc), OAuth2AuthorizationRequestRedirectFilter.class);
    }

    /** Decodes the ID tokens of logins; Spring Security finds this bean by its type. */
    @Bean
    JwtDecoderFactory<ClientRegistration> idTokenDecoders() {
        return registration -> provider.orElseThrow().idTokens();
    }

    // In a cookie, so that the login page needs no session. Lax like the session's cookie: a browser that follows a
    // link to the server sends both, so it gets no new token, which would invalidate the forms of its open pages.
    private CookieCsrfTokenRepository csrfTokens() {
        CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
        tokens.setCookieName("catbox-csrf");
        tokens.setHeaderName("X-CSRF-TOKEN");
        tokens.setCookieCustomizer(cookie ->
                cookie.httpOnly(true).sameSite("Lax").secure(plan.sessions().secureCookies()));
        return tokens;
    }

    private void headers(HeadersConfigurer<HttpSecurity> headers) {
        // The form that logs out may be redirected to the provider.
        String policies =
                CONTENT_POLICY + provider.map(oidc -> " " + oidc.origin()).orElse("");
        headers.contentSecurityPolicy(policy -> policy.policyDirectives(policies))
                .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN))
                .permissionsPolicyHeader(policy -> policy.policy("camera=(), geolocation=(), microphone=()"));
    }
}
