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
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import outbox.admin.Role;
import outbox.spi.TimeSource;
import tools.jackson.databind.json.JsonMapper;

/** What a request has to pass. What is not named here needs somebody who is known. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
public class AccessConfiguration {

    private static final String CONTENT_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none';"
            + " base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
    private static final Customizer<SessionManagementConfigurer<HttpSecurity>> NO_SESSIONS =
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS);
    private static final String FILTER = "springSecurityFilterChain";
    private static final int BEFORE_ALL_OTHERS = -100;

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
            LoginLog.openToNobody(file.path().toString());
        }
    }

    @Bean
    DelegatingFilterProxyRegistrationBean accessFilter() {
        DelegatingFilterProxyRegistrationBean filter = new DelegatingFilterProxyRegistrationBean(FILTER);
        filter.setOrder(BEFORE_ALL_OTHERS);
        filter.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return filter;
    }

    @Bean
    AccessErrors refusals(JsonMapper mapper) {
        return new AccessErrors(mapper, plan.hasLogins());
    }

    /**
     * Whether all is well, metrics, and a reload are for programs, which are asked for nothing. Who shows a token gets
     * more: what exactly is wrong, and a reload from afar. A session is not looked at, so no page of others can use it.
     */
    @Bean
    @Order(1)
    SecurityFilterChain openToAll(HttpSecurity http, AccessErrors refusals) {
        http.securityMatcher("/actuator", "/actuator/**", "/reload")
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(NO_SESSIONS);
        tokens(http, refusals);
        return http.build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain forPeopleWhoAreKnown(HttpSecurity http, AccessErrors refusals) {
        SessionEnd end = new SessionEnd(plan.sessions().lastsMax(), TimeSource.SYSTEM);
        LoginPages pages = new LoginPages(plan.sessions(), address, end);
        http.addFilterBefore(end, SecurityContextHolderFilter.class);
        http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                        DispatcherType.ASYNC, DispatcherType.ERROR)
                .permitAll() // Who began it was let in.
                .requestMatchers(HttpMethod.GET, "/login", "/assets/**")
                .permitAll()
                .anyRequest()
                .hasAnyAuthority(Rights.name(Role.VIEWER), Rights.name(Role.OPERATOR), Rights.name(Role.ADMIN)));
        http.authenticationProvider(new PasswordLogins(plan.users(), new LoginThrottle(TimeSource.SYSTEM)));
        http.formLogin(form -> form.loginPage("/login")
                .authenticationDetailsSource(address::of)
                .successHandler(pages.loggedIn())
                .failureHandler(pages.refused()));
        http.logout(logout -> logout.deleteCookies(LoginPages.SESSION_COOKIE).logoutSuccessUrl(LoginPages.LOGGED_OUT));
        http.requestCache(cache -> cache.requestCache(pages.wanted()));
        tokens(http, refusals);
        http.csrf(csrf -> csrf.csrfTokenRepository(csrfTokens()));
        http.headers(this::headers);
        http.exceptionHandling(handling -> handling.defaultAuthenticationEntryPointFor(refusals, API)
                .defaultAuthenticationEntryPointFor(pages.entry(), request -> !API.matches(request))
                .defaultAccessDeniedHandlerFor(refusals, API));
        provider.ifPresent(oidc -> oidcLogin(http, oidc, pages));
        return http.build();
    }

    private void tokens(HttpSecurity http, AccessErrors refusals) {
        BearerTokens bearers =
                new BearerTokens(plan.tokens(), provider); // As a bean it would be asked about passwords.
        http.oauth2ResourceServer(tokens -> tokens.authenticationManagerResolver(request -> bearers)
                .authenticationEntryPoint(refusals)
                .accessDeniedHandler(refusals));
    }

    private void oidcLogin(HttpSecurity http, OidcProvider oidc, LoginPages pages) {
        LoginUnderWay underWay = new LoginUnderWay(oidc, plan.sessions().secureCookies(), TimeSource.SYSTEM);
        http.logout(logout -> logout.logoutSuccessHandler(oidc.logouts(LoginPages.LOGGED_OUT)));
        http.oauth2Login(login -> login.loginPage("/login")
                .clientRegistrationRepository(oidc)
                .authorizationEndpoint(away -> away.authorizationRequestRepository(underWay))
                .authorizedClientRepository(new HttpSessionOAuth2AuthorizedClientRepository())
                .tokenEndpoint(tokens -> tokens.accessTokenResponseClient(oidc.codes()))
                .userInfoEndpoint(info -> info.oidcUserService(oidc::user))
                .successHandler(pages.loggedIn())
                .failureHandler(pages.refused()));
        http.addFilterBefore(pages.whileUnreachable(oidc), OAuth2AuthorizationRequestRedirectFilter.class);
    }

    /** Found by Spring, for the tokens that a browser brings from the provider. */
    @Bean
    JwtDecoderFactory<ClientRegistration> idTokenDecoders() {
        return registration -> provider.orElseThrow().idTokens();
    }

    // In a cookie, so that who only looks at the login page needs no session. Lax as that of the session is: were one
    // of
    // them left behind when somebody follows a link to here, the forms of his other pages would be of no use any more.
    private CookieCsrfTokenRepository csrfTokens() {
        CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
        tokens.setCookieName("catbox-csrf");
        tokens.setHeaderName("X-CSRF-TOKEN");
        tokens.setCookieCustomizer(cookie ->
                cookie.httpOnly(true).sameSite("Lax").secure(plan.sessions().secureCookies()));
        return tokens;
    }

    private void headers(HeadersConfigurer<HttpSecurity> headers) {
        // To log out is a form, whose answer may lead to the provider.
        String policies =
                CONTENT_POLICY + provider.map(oidc -> " " + oidc.origin()).orElse("");
        headers.contentSecurityPolicy(policy -> policy.policyDirectives(policies))
                .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN))
                .permissionsPolicyHeader(policy -> policy.policy("camera=(), geolocation=(), microphone=()"));
    }
}
