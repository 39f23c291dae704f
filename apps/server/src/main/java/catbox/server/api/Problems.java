package catbox.server.api;

import catbox.server.access.ForbiddenException;
import catbox.server.engine.Problem;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import outbox.OutboxException;
import outbox.admin.NeedsServerException;

/** Says of every failure of the API what it is, for programs and for people. */
@RestControllerAdvice(basePackageClasses = Problems.class)
final class Problems {

    private static final Logger LOG = System.getLogger(Problems.class.getName());

    @ExceptionHandler
    ResponseEntity<ProblemDocument> problem(ProblemException e) {
        return e.problem().answer();
    }

    @ExceptionHandler
    ResponseEntity<ProblemDocument> forbidden(ForbiddenException e) {
        return answer(HttpStatus.FORBIDDEN, "forbidden", e);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDocument> notFound(NoSuchElementException e) {
        return answer(HttpStatus.NOT_FOUND, "not-found", e);
    }

    /** What makes no sense for this source, or for what it holds. */
    @ExceptionHandler({IllegalArgumentException.class, NeedsServerException.class})
    ResponseEntity<ProblemDocument> notPossible(RuntimeException e) {
        return answer(HttpStatus.UNPROCESSABLE_CONTENT, "not-possible", e);
    }

    /** The source has not been connected to, or its database does not do what it should. */
    @ExceptionHandler
    ResponseEntity<ProblemDocument> notConnected(OutboxException e) {
        return ProblemDocument.of(HttpStatus.SERVICE_UNAVAILABLE, "source-not-connected", Problem.describe(e))
                .answer();
    }

    @ExceptionHandler
    ResponseEntity<ProblemDocument> otherMethod(HttpRequestMethodNotSupportedException e) {
        return ResponseEntity.status(HttpStatus.METHOD_NOT_ALLOWED)
                .header(HttpHeaders.ALLOW, Objects.requireNonNullElse(e.getSupportedMethods(), new String[0]))
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(ProblemDocument.of(
                        HttpStatus.METHOD_NOT_ALLOWED, "method-not-allowed", String.valueOf(e.getMessage())));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDocument> otherType(HttpMediaTypeNotAcceptableException e) {
        return ProblemDocument.of(
                        HttpStatus.NOT_ACCEPTABLE,
                        "not-acceptable",
                        "there is nothing but " + e.getSupportedMediaTypes() + " here")
                .answer();
    }

    /** Whoever had asked has gone. */
    @ExceptionHandler
    void gone(AsyncRequestNotUsableException e) {
        LOG.log(Level.DEBUG, "a client has gone: {0}", e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDocument> failed(RuntimeException e) {
        LOG.log(Level.ERROR, "a request failed", e);
        return ProblemDocument.of(HttpStatus.INTERNAL_SERVER_ERROR, "internal", "the server failed; its log says more")
                .answer();
    }

    private static ResponseEntity<ProblemDocument> answer(HttpStatus status, String code, RuntimeException e) {
        return ProblemDocument.of(status, code, String.valueOf(e.getMessage())).answer();
    }
}
