package catbox.server.web;

import java.time.Duration;
import org.apache.coyote.BadRequestException;

/** A body that takes too long to arrive, or is too large for who sends it. Answered with 400, unlike a client that has gone. */
final class BodyRefusedException extends BadRequestException {

    private static final long serialVersionUID = 1L;

    private BodyRefusedException(String message) {
        super(message);
    }

    static BodyRefusedException tooSlow(Duration atMost) {
        return new BodyRefusedException(
                "the body has to arrive within " + atMost.toSeconds() + " s, without a long pause");
    }

    static BodyRefusedException tooLarge(long bytesMax) {
        return new BodyRefusedException("the body may have " + bytesMax + " bytes at most");
    }
}
