package catbox.server.api;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Why a request failed, in the form of RFC 9457.
 *
 * @param type {@code /problems/} and the code, for programs
 * @param count how many events would change after a confirmation, where one is needed
 */
public record ProblemDocument(
        String type,
        String title,
        int status,
        String detail,
        @Nullable Long count) {

    public static ProblemDocument of(HttpStatus status, String code, String detail) {
        return new ProblemDocument("/problems/" + code, status.getReasonPhrase(), status.value(), detail, null);
    }

    public ProblemDocument withCount(long events) {
        return new ProblemDocument(type, title, status, detail, events);
    }

    public ResponseEntity<ProblemDocument> answer() {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(this);
    }
}
