package catbox.server.access;

import catbox.server.config.AccessPlan;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.authentication.SavedRequestAwareAuthenticationSuccessHandler;
import org.springframework.security.web.savedrequest.CookieRequestCache;
import org.springframework.security.web.savedrequest.RequestCache;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/** Where a browser is sent before and after a login. */
final class LoginPages {

    static final String SESSION_COOKIE = "catbox-session";

    private static final String LOGIN = "/login";
    private static final RequestMatcher TO_PROVIDER =
            PathPatternRequestMatcher.pathPattern("/oauth2/authorization/" + OidcProvider.ID);

    private final AccessPlan.Sessions sessions;
    private final CookieRequestCache wanted = new CookieRequestCache();

    LoginPages(AccessPlan.Sessions sessions) {
        this.sessions = sessions;
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
        SavedRequestAwareAuthenticationSuccessHandler back = new SavedRequestAwareAuthenticationSuccessHandler();
        back.setRequestCache(wanted);
        return (request, response, who) -> {
            request.getSession()
                    .setMaxInactiveInterval(Math.toIntExact(sessions.idleMax().toSeconds()));
            back.onAuthenticationSuccess(request, response, who);
        };
    }

    /** Back to the login page, which says why. */
    AuthenticationFailureHandler refused() {
        return (request, response, why) -> redirect(
                request,
                response,
                why instanceof LockedException ? "wait" : why instanceof OidcUnreachableException ? "oidc" : "error");
    }

    /** Asks whether the provider is there before a browser is sent to it. */
    Filter whileUnreachable(OidcProvider provider) {
        return (request, response, chain) -> {
            if (request instanceof HttpServletRequest asked
                    && response instanceof HttpServletResponse answer
                    && TO_PROVIDER.matches(asked)
                    && !provider.isReachable()) {
                redirect(asked, answer, "oidc");
            } else {
                chain.doFilter(request, response);
            }
        };
    }

    private static void redirect(HttpServletRequest request, HttpServletResponse response, String why)
            throws IOException {
        response.sendRedirect(request.getContextPath() + LOGIN + "?" + why);
    }
}
