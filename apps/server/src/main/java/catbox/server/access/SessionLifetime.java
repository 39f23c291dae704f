package catbox.server.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.web.filter.OncePerRequestFilter;

/** Ends a session some time after its login. Open pages refresh automatically, so their sessions never become idle. */
final class SessionLifetime extends OncePerRequestFilter {

    private static final String LOGIN = SessionLifetime.class.getName();

    private final Duration lifetime;
    private final InstantSource time;

    SessionLifetime(Duration lifetime, InstantSource time) {
        this.lifetime = lifetime;
        this.time = time;
    }

    /** Called at every login: a second login in the same session begins a new lifetime. */
    void start(HttpSession session) {
        session.setAttribute(LOGIN, time.instant());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpSession session = request.getSession(false);
        try {
            if (session != null
                    && session.getAttribute(LOGIN) instanceof Instant login
                    && login.plus(lifetime).isBefore(time.instant())) {
                session.invalidate();
            }
        } catch (IllegalStateException e) {
            // Another request has ended the session meanwhile.
        }
        chain.doFilter(request, response);
    }
}
