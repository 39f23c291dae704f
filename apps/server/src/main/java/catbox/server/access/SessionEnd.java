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
        if (session != null && isOver(session)) {
            session.invalidate();
        }
        chain.doFilter(request, response);
    }

    // Sessions are made by logins alone, so a session is as old as its login.
    private boolean isOver(HttpSession session) {
        return Instant.ofEpochMilli(session.getCreationTime()).plus(lastsMax).isBefore(time.instant());
    }
}
