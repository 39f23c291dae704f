package catbox.server.access;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;
import outbox.admin.Operation;

/** Somebody asked for what he may not do. */
@ResponseStatus(HttpStatus.FORBIDDEN)
public final class ForbiddenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ForbiddenException(Principal person, Operation operation) {
        super("\"" + operation.id() + "\" needs " + operation.needs() + ", which " + person.name() + " does not have");
    }
}
