package catbox.server.access;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;
import outbox.admin.Operation;

/** Thrown for an operation that the caller's rights do not allow. */
@ResponseStatus(HttpStatus.FORBIDDEN)
public final class ForbiddenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ForbiddenException(Principal person, Operation operation) {
        super("\"" + operation.id() + "\" needs " + operation.needs() + ", which " + person.name() + " does not have");
    }
}
