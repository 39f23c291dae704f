package catbox.server.api;

import org.springframework.http.HttpStatus;

/** A request that fails with a problem. */
final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ProblemDocument problem;

    ProblemException(ProblemDocument problem) {
        super(problem.detail());
        this.problem = problem;
    }

    /** An invalid request. */
    static ProblemException badRequest(String detail) {
        return new ProblemException(ProblemDocument.of(HttpStatus.BAD_REQUEST, "bad-request", detail));
    }

    ProblemDocument problem() {
        return problem;
    }
}
