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

/** Turns every failure of the API into a problem document. */
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

    /** What is not possible for this source or its events. */
    @ExceptionHandler({IllegalArgumentException.class, NeedsServerException.class})
    ResponseEntity<ProblemDocument> notPossible(RuntimeException e) {
        return answer(HttpStatus.UNPROCESSABLE_CONTENT, "not-possible", e);
    }

    /** The source is not connected, or its database fails. */
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
                        HttpStatus.NOT_ACCEPTABLE, "not-acceptable", "this path has only " + e.getSupportedMediaTypes())
                .answer();
    }

    /** The client has closed its connection. */
    @ExceptionHandler
    void disconnected(AsyncRequestNotUsableException e) {
        LOG.log(Level.DEBUG, "a client has closed its connection: {0}", e.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDocument> failed(RuntimeException e) {
        LOG.log(Level.ERROR, "a request failed", e);
        return ProblemDocument.of(HttpStatus.INTERNAL_SERVER_ERROR, "internal", "the server failed; see its log")
                .answer();
    }

    private static ResponseEntity<ProblemDocument> answer(HttpStatus status, String code, RuntimeException e) {
        return ProblemDocument.of(status, code, String.valueOf(e.getMessage())).answer();
    }
}
