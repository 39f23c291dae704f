package catbox.server.api;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;
import outbox.OutboxException;

/** A source is not worked on at the moment, so nothing can be seen of it. */
@ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
public final class SourceNotConnectedException extends OutboxException {

    private static final long serialVersionUID = 1L;

    SourceNotConnectedException(String source, String why) {
        super("source " + source + " is not connected: " + why);
    }
}
