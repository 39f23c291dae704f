package catbox.server.access;

import catbox.server.config.AccessPlan;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.savedrequest.CookieRequestCache;
import org.springframework.security.web.savedrequest.RequestCache;
import org.springframework.security.web.savedrequest.SavedRequest;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/** Sends browsers to the login page, and after a login to the page that they asked for. */
final class LoginPages {

    static final String SESSION_COOKIE = "catbox-session";
    static final String LOGGED_OUT = "/login?logout";

    private static final String LOGIN = "/login";
    private static final RequestMatcher TO_PROVIDER =
            PathPatternRequestMatcher.pathPattern("/oauth2/authorization/" + OidcProvider.ID);

    private final AccessPlan.Sessions sessions;
    private final ClientAddress address;
    private final SessionLifetime lifetime;
    private final CookieRequestCache savedRequests = new CookieRequestCache();

    LoginPages(AccessPlan.Sessions sessions, ClientAddress address, SessionLifetime lifetime) {
        this.sessions = sessions;
        this.address = address;
        this.lifetime = lifetime;
        // Only whole pages are worth returning to, and no parts of pages that a script asked for.
        savedRequests.setRequestMatcher(request -> request.getMethod().equals("GET")
                && String.valueOf(request.getHeader(HttpHeaders.ACCEPT)).contains("text/html")
                && request.getHeader("HX-Request") == null);
        savedRequests.setCookieCustomizer(cookie -> {
            cookie.setSecure(sessions.secureCookies());
            cookie.setAttribute("SameSite", "Lax");
        });
    }

    /** Keeps the requested page in a cookie, because there is no session before the login. */
    RequestCache savedRequests() {
        return savedRequests;
    }

    /** Redirects to the login page; a script that asked for part of a page goes there too. */
    AuthenticationEntryPoint entryPoint() {
        LoginUrlAuthenticationEntryPoint login = new LoginUrlAuthenticationEntryPoint(LOGIN);
        return (request, response, failure) -> {
            if (request.getHeader("HX-Request") != null) {
                response.setHeader("HX-Redirect", LOGIN);
                response.setStatus(HttpStatus.UNAUTHORIZED.value());
            } else {
                login.commence(request, response, failure);
            }
        };
    }

    /** Redirects to the requested page. The session gets its full length here; before the login it is a few minutes. */
    AuthenticationSuccessHandler loggedIn() {
        return (request, response, user) -> {
            HttpSession session = request.getSession();
            session.setMaxInactiveInterval(Math.toIntExact(sessions.idleMax().toSeconds()));
            lifetime.start(session);
            LoginLog.loggedIn(
                    Principal.of(user).name(),
                    user.getPrincipal() instanceof OidcUser ? "OpenID" : "a password",
                    address.of(request));
            String page = withoutHost(savedRequests.getRequest(request, response));
            savedRequests.removeRequest(request, response);
            response.sendRedirect(page);
        };
    }

    /** Drops scheme and host: behind a proxy those that the server sees are not those of the browser. */
    private static String withoutHost(@Nullable SavedRequest saved) {
        if (saved == null) {
            return "/";
        }
        URI uri = URI.create(saved.getRedirectUrl());
        String path = "/" + String.valueOf(uri.getRawPath()).replaceFirst("^/+", "");
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    /** Shows the login page with the reason of the failure. */
    AuthenticationFailureHandler failed() {
        return (request, response, failure) -> {
            switch (failure) {
                case LockedException locked -> response.sendRedirect(LOGIN + "?wait");
                case OidcUnreachableException down -> show(request, response, HttpStatus.SERVICE_UNAVAILABLE, "oidc");
                case NoRoleException user -> {
                    LoginLog.refused(String.valueOf(user.getMessage()), "no role", address.of(request));
                    show(request, response, HttpStatus.FORBIDDEN, "role");
                }
                case OAuth2AuthenticationException oidc -> {
                    LoginLog.oidcLoginFailed(String.valueOf(oidc.getMessage()));
                    show(request, response, HttpStatus.UNAUTHORIZED, "refused");
                }
                default -> response.sendRedirect(LOGIN + "?error");
            }
        };
    }

    /** Shows the login page instead of sending a browser to a provider that is down. */
    Filter providerCheck(OidcProvider provider) {
        return (request, response, chain) -> {
            if (request instanceof HttpServletRequest http
                    && response instanceof HttpServletResponse answer
                    && TO_PROVIDER.matches(http)
                    && !provider.isReachable()) {
                show(http, answer, HttpStatus.SERVICE_UNAVAILABLE, "oidc");
            } else {
                chain.doFilter(request, response);
            }
        };
    }

    /** Shows the login page at the requested address, so that reloading it tries again. */
    private static void show(HttpServletRequest request, HttpServletResponse response, HttpStatus status, String reason)
            throws IOException, ServletException {
        response.setStatus(status.value());
        request.getRequestDispatcher(LOGIN + "?" + reason).forward(request, response);
    }
}
