package catbox.orders;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;

/** Returns every error as a problem detail, and invalid requests with the reason. */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

    private static final Logger LOG = System.getLogger(Problems.class.getName());

    /** Handles unforeseen errors: the log contains them, the response does not. */
    @ExceptionHandler
    ResponseEntity<Object> handleUnforeseen(Exception unforeseen, WebRequest request) {
        LOG.log(Level.ERROR, "a request failed: " + request.getDescription(false), unforeseen);
        HttpStatusCode status = HttpStatus.INTERNAL_SERVER_ERROR;
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                status,
                "The request failed. Whether anything was changed is not certain: check before you send it again.");
        return ResponseEntity.status(status).body(problem);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException wrong, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Map<String, String> fields = new TreeMap<>();
        for (ParameterValidationResult result : wrong.getParameterValidationResults()) {
            for (MessageSourceResolvable error : result.getResolvableErrors()) {
                fields.put(nameOf(result, error), String.valueOf(error.getDefaultMessage()));
            }
        }
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, "The request is wrong: " + fields);
        problem.setProperty("fields", fields);
        return handleExceptionInternal(wrong, problem, headers, status, request);
    }

    private static String nameOf(ParameterValidationResult result, MessageSourceResolvable error) {
        RequestHeader header = result.getMethodParameter().getParameterAnnotation(RequestHeader.class);
        if (header != null) {
            return header.value();
        }
        return error instanceof FieldError field ? field.getField() : "body";
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException wrong, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        // Jackson's original message; the rest names Java classes, which the caller must not see.
        String reason = wrong.getCause() instanceof JacksonException cause ? cause.getOriginalMessage() : "";
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                status, "The body cannot be read as the JSON that is expected here. " + reason);
        return handleExceptionInternal(wrong, problem, headers, status, request);
    }
}
