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
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import outbox.admin.Role;
import outbox.util.TimeSource;
import tools.jackson.databind.json.JsonMapper;

/** What a request has to pass. What is not named here needs somebody who is known. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
public class AccessConfiguration {

    private static final String CONTENT_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none';"
            + " base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
    private static final String FILTER = "springSecurityFilterChain";
    private static final int BEFORE_ALL_OTHERS = -100;

    private static final RequestMatcher API = PathPatternRequestMatcher.pathPattern("/api/**");

    private final AccessPlan plan;
    private final Optional<OidcProvider> provider;

    AccessConfiguration(ConfigFile file) {
        this.plan = file.started().access();
        this.provider =
                plan.oidc().map(oidc -> new OidcProvider(oidc, plan.sessions().publicUrl(), TimeSource.SYSTEM));
    }

    @Bean
    DelegatingFilterProxyRegistrationBean accessFilter() {
        DelegatingFilterProxyRegistrationBean filter = new DelegatingFilterProxyRegistrationBean(FILTER);
        filter.setOrder(BEFORE_ALL_OTHERS);
        filter.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return filter;
    }

    /** Health and metrics are for everybody who gets to the address, and a reload sees to itself. */
    @Bean
    @Order(1)
    SecurityFilterChain openToAll(HttpSecurity http) {
        return http.securityMatcher("/actuator", "/actuator/**", "/reload")
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain forPeopleWhoAreKnown(HttpSecurity http, JsonMapper mapper) {
        Refusals refusals = new Refusals(mapper, plan.isOpenToSomebody());
        LoginPages pages = new LoginPages(plan.sessions());
        http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                        DispatcherType.ASYNC, DispatcherType.ERROR)
                .permitAll() // Who began it was let in.
                .requestMatchers(HttpMethod.GET, "/login", "/assets/**")
                .permitAll()
                .anyRequest()
                .hasAnyAuthority(Rights.name(Role.VIEWER), Rights.name(Role.OPERATOR), Rights.name(Role.ADMIN)));
        http.authenticationProvider(new PasswordLogins(plan.users(), new LoginThrottle(TimeSource.SYSTEM)));
        http.formLogin(form ->
                form.loginPage("/login").successHandler(pages.loggedIn()).failureHandler(pages.refused()));
        http.logout(logout -> logout.deleteCookies(LoginPages.SESSION_COOKIE));
        http.requestCache(cache -> cache.requestCache(pages.wanted()));
        http.oauth2ResourceServer(tokens -> {
            BearerTokens bearers = new BearerTokens(plan.tokens(), provider);
            tokens.authenticationManagerResolver(request -> bearers)
                    .authenticationEntryPoint(refusals)
                    .accessDeniedHandler(refusals);
        });
        http.csrf(csrf -> csrf.csrfTokenRepository(csrfTokens()));
        http.headers(AccessConfiguration::headers);
        http.exceptionHandling(handling -> handling.defaultAuthenticationEntryPointFor(refusals, API)
                .defaultAuthenticationEntryPointFor(pages.entry(), request -> !API.matches(request))
                .defaultAccessDeniedHandlerFor(refusals, API));
        provider.ifPresent(oidc -> oidcLogin(http, oidc, pages));
        return http.build();
    }

    private void oidcLogin(HttpSecurity http, OidcProvider oidc, LoginPages pages) {
        http.oauth2Login(login -> login.loginPage("/login")
                .clientRegistrationRepository(oidc)
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
        return registration -> provider.orElseThrow().idTokens(registration);
    }

    // In a cookie, so that who only looks at the login page needs no session.
    private CookieCsrfTokenRepository csrfTokens() {
        CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
        tokens.setCookieName("catbox-csrf");
        tokens.setHeaderName("X-CSRF-TOKEN");
        tokens.setCookieCustomizer(cookie ->
                cookie.httpOnly(true).sameSite("Strict").secure(plan.sessions().secureCookies()));
        return tokens;
    }

    private static void headers(HeadersConfigurer<HttpSecurity> headers) {
        headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_POLICY))
                .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN))
                .permissionsPolicyHeader(policy -> policy.policy("camera=(), geolocation=(), microphone=()"));
    }
}
