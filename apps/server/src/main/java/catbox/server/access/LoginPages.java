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

/** Where a browser is sent before and after a login. */
final class LoginPages {

    static final String SESSION_COOKIE = "catbox-session";
    static final String LOGGED_OUT = "/login?logout";

    private static final String LOGIN = "/login";
    private static final RequestMatcher TO_PROVIDER =
            PathPatternRequestMatcher.pathPattern("/oauth2/authorization/" + OidcProvider.ID);

    private final AccessPlan.Sessions sessions;
    private final ClientAddress address;
    private final SessionEnd end;
    private final CookieRequestCache wanted = new CookieRequestCache();

    LoginPages(AccessPlan.Sessions sessions, ClientAddress address, SessionEnd end) {
        this.sessions = sessions;
        this.address = address;
        this.end = end;
        // Only what a person has asked for by its address is worth to come back to.
        wanted.setRequestMatcher(request -> request.getMethod().equals("GET")
                && String.valueOf(request.getHeader(HttpHeaders.ACCEPT)).contains("text/html")
                && request.getHeader("HX-Request") == null);
        wanted.setCookieCustomizer(cookie -> {
            cookie.setSecure(sessions.secureCookies());
            cookie.setAttribute("SameSite", "Lax");
        });
    }

    /** The page that somebody wanted before he was asked who he is. In a cookie: who is not known has no session. */
    RequestCache wanted() {
        return wanted;
    }

    /** To the login page; a part of a page that is asked for by a script has the script go there. */
    AuthenticationEntryPoint entry() {
        LoginUrlAuthenticationEntryPoint login = new LoginUrlAuthenticationEntryPoint(LOGIN);
        return (request, response, why) -> {
            if (request.getHeader("HX-Request") != null) {
                response.setHeader("HX-Redirect", LOGIN);
                response.setStatus(HttpStatus.UNAUTHORIZED.value());
            } else {
                login.commence(request, response, why);
            }
        };
    }

    /** To the page that was wanted. Only now the session lasts: one of somebody who is not known ends within minutes. */
    AuthenticationSuccessHandler loggedIn() {
        return (request, response, who) -> {
            HttpSession session = request.getSession();
            session.setMaxInactiveInterval(Math.toIntExact(sessions.idleMax().toSeconds()));
            end.begins(session);
            LoginLog.loggedIn(
                    Principal.of(who).name(),
                    who.getPrincipal() instanceof OidcUser ? "OpenID" : "a password",
                    address.of(request));
            String page = local(wanted.getRequest(request, response));
            wanted.removeRequest(request, response);
            response.sendRedirect(page);
        };
    }

    /** Without scheme and host: those that the server sees are not those of the browser when there is a proxy between. */
    static String local(@Nullable SavedRequest saved) {
        if (saved == null) {
            return "/";
        }
        URI uri = URI.create(saved.getRedirectUrl());
        String path = "/" + String.valueOf(uri.getRawPath()).replaceFirst("^/+", "");
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    /** Back to the login page, which says why. */
    AuthenticationFailureHandler refused() {
        return (request, response, why) -> {
            switch (why) {
                case LockedException locked -> response.sendRedirect(LOGIN + "?wait");
                case OidcUnreachableException down -> show(request, response, HttpStatus.SERVICE_UNAVAILABLE, "oidc");
                case NoRoleException nobody -> {
                    LoginLog.refused(nobody.who(), "no role", address.of(request));
                    show(request, response, HttpStatus.FORBIDDEN, "role");
                }
                case OAuth2AuthenticationException provider -> {
                    LoginLog.failed(String.valueOf(provider.getMessage()));
                    show(request, response, HttpStatus.UNAUTHORIZED, "refused");
                }
                default -> response.sendRedirect(LOGIN + "?error");
            }
        };
    }

    /** Asks whether the provider is there before a browser is sent to it. */
    Filter whileUnreachable(OidcProvider provider) {
        return (request, response, chain) -> {
            if (request instanceof HttpServletRequest asked
                    && response instanceof HttpServletResponse answer
                    && TO_PROVIDER.matches(asked)
                    && !provider.isReachable()) {
                show(asked, answer, HttpStatus.SERVICE_UNAVAILABLE, "oidc");
            } else {
                chain.doFilter(request, response);
            }
        };
    }

    /** The login page in place of what was asked for, so that to load it again is to try again. */
    private static void show(HttpServletRequest request, HttpServletResponse response, HttpStatus status, String why)
            throws IOException, ServletException {
        response.setStatus(status.value());
        request.getRequestDispatcher(LOGIN + "?" + why).forward(request, response);
    }
}
