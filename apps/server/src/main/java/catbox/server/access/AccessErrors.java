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

/** Answers requests to the API that are refused access, with a problem document that says why. */
final class AccessErrors implements AuthenticationEntryPoint, AccessDeniedHandler {

    private final JsonMapper mapper;
    private final boolean configured;

    AccessErrors(JsonMapper mapper, boolean configured) {
        this.mapper = mapper;
        this.configured = configured;
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        if (failure instanceof OidcUnreachableException) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "5");
            write(
                    response,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "provider-unreachable",
                    "the token is not in the server's file, and the OpenID provider cannot be reached to check it");
            return;
        }
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        write(response, HttpStatus.UNAUTHORIZED, "unauthorized", unauthorized(request, failure));
    }

    private String unauthorized(HttpServletRequest request, AuthenticationException failure) {
        if (!configured) {
            return "access is not set up: add users, tokens or an OpenID provider under access: in the server's file";
        }
        return request.getHeader(HttpHeaders.AUTHORIZATION) == null
                ? "log in at /login, or send a token as Authorization: Bearer TOKEN"
                : String.valueOf(failure.getMessage());
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException failure)
            throws IOException {
        if (SecurityContextHolder.getContext().getAuthentication() == null) {
            commence(request, response, new InsufficientAuthenticationException("not logged in"));
            return;
        }
        write(
                response,
                HttpStatus.FORBIDDEN,
                "forbidden",
                failure instanceof CsrfException
                        ? "a request with a session cookie also needs the CSRF token, in the header X-CSRF-TOKEN"
                        : "permission denied: this needs the role viewer, operator or admin");
    }

    private void write(HttpServletResponse response, HttpStatus status, String code, String detail) throws IOException {
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(mapper.writeValueAsBytes(ProblemDocument.of(status, code, detail)));
    }
}
