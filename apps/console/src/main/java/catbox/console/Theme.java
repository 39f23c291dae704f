package catbox.console;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import org.springframework.http.ResponseCookie;
import org.springframework.web.util.WebUtils;

/** Light, dark, or as the browser prefers. The choice is a cookie, so that every page begins in the right theme. */
final class Theme {

    private static final String NAME = "theme";

    private Theme() {}

    static String of(HttpServletRequest request) {
        var cookie = WebUtils.getCookie(request, NAME);
        return known(cookie == null ? "" : cookie.getValue());
    }

    static ResponseCookie cookie(String wanted) {
        return ResponseCookie.from(NAME, known(wanted))
                .path("/")
                .maxAge(Duration.ofDays(365))
                .httpOnly(true)
                .sameSite("Lax")
                .build();
    }

    private static String known(String name) {
        return name.equals("light") || name.equals("dark") ? name : "auto";
    }
}
