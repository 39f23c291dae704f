package catbox.server.access;

import catbox.server.api.ProblemDocument;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.csrf.CsrfException;
import tools.jackson.databind.json.JsonMapper;

/** Tells programs that they do not get in, and why. */
final class AccessErrors implements AuthenticationEntryPoint, AccessDeniedHandler {

    private final JsonMapper mapper;
    private final boolean openToSomebody;

    AccessErrors(JsonMapper mapper, boolean openToSomebody) {
        this.mapper = mapper;
        this.openToSomebody = openToSomebody;
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException why)
            throws IOException {
        if (why instanceof OidcUnreachableException) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "5");
            write(
                    response,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "provider-unreachable",
                    "the token is none of the server's file, and the OpenID provider cannot be asked about it now");
            return;
        }
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        boolean shown = request.getHeader(HttpHeaders.AUTHORIZATION) != null;
        write(
                response,
                HttpStatus.UNAUTHORIZED,
                "unauthorized",
                !openToSomebody
                        ? "nobody may ask yet: add users, tokens or an OpenID provider below access: in the server's"
                                + " file"
                        : shown
                                ? String.valueOf(why.getMessage())
                                : "log in at /login, or show a token as Authorization: Bearer TOKEN");
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException why)
            throws IOException {
        if (SecurityContextHolder.getContext().getAuthentication() == null) {
            commence(request, response, new InsufficientAuthenticationException("nobody is logged in"));
            return;
        }
        write(
                response,
                HttpStatus.FORBIDDEN,
                "forbidden",
                why instanceof CsrfException
                        ? "a request with a session's cookie needs the CSRF token as well, in the header X-CSRF-TOKEN"
                        : "the role viewer, operator or admin is needed to get in at all");
    }

    private void write(HttpServletResponse response, HttpStatus status, String code, String detail) throws IOException {
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(mapper.writeValueAsBytes(ProblemDocument.of(status, code, detail)));
    }
}
