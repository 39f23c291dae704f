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

/** Ends sessions that have lasted long enough. An open page asks again and again, and would keep one for ever. */
final class SessionEnd extends OncePerRequestFilter {

    private static final String BEGAN = SessionEnd.class.getName();

    private final Duration lastsMax;
    private final InstantSource time;

    SessionEnd(Duration lastsMax, InstantSource time) {
        this.lastsMax = lastsMax;
        this.time = time;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpSession session = request.getSession(false);
        if (session != null) {
            endWhenItIsOver(session);
        }
        chain.doFilter(request, response);
    }

    private void endWhenItIsOver(HttpSession session) {
        try {
            if (began(session).plus(lastsMax).isBefore(time.instant())) {
                session.invalidate();
            }
        } catch (IllegalStateException e) {
            // Another request has ended it meanwhile.
        }
    }

    /** Called at a login: who logs in again keeps the session that he has, and has as long as everybody. */
    void begins(HttpSession session) {
        session.setAttribute(BEGAN, time.instant());
    }

    private static Instant began(HttpSession session) {
        return session.getAttribute(BEGAN) instanceof Instant login
                ? login
                : Instant.ofEpochMilli(session.getCreationTime());
    }
}
