package catbox.server.web;

import catbox.server.access.Principal;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import outbox.spi.TimeSource;

/**
 * Limits the duration and size of one request's body, however fast its client sends. The limits of an unauthenticated
 * sender are lower, and enough for a login.
 */
final class BoundedInput implements InputBuffer {

    static final int ANONYMOUS_BYTES_MAX = 64 << 10;
    static final int KNOWN_BYTES_MAX = 8 << 20;

    private final InputBuffer connection;
    private final TimeSource time;
    private final long fromNanos;
    private long bytes;

    private enum Limit {
        ANONYMOUS(Duration.ofSeconds(5), ANONYMOUS_BYTES_MAX),
        KNOWN(Duration.ofMinutes(1), KNOWN_BYTES_MAX);

        private final Duration time;
        private final long bytes;

        Limit(Duration time, long bytes) {
            this.time = time;
            this.bytes = bytes;
        }
    }

    BoundedInput(InputBuffer connection, TimeSource time) {
        this.connection = connection;
        this.time = time;
        this.fromNanos = time.nanoTime();
    }

    @Override
    public int doRead(ApplicationBufferHandler handler) throws IOException {
        // Determined at each read: Spring Security may read a form before it has authenticated the sender.
        Limit limit = Principal.isKnown() ? Limit.KNOWN : Limit.ANONYMOUS;
        if (time.nanoTime() - fromNanos > limit.time.toNanos()) {
            throw tooSlow(limit);
        }
        int read;
        try {
            read = connection.doRead(handler);
        } catch (SocketTimeoutException e) {
            throw tooSlow(limit);
        }
        bytes += Math.max(0, read);
        if (bytes > limit.bytes) {
            throw new BadRequestException("the body may have at most " + limit.bytes + " bytes");
        }
        return read;
    }

    /** Tomcat answers this exception with 400, and any other as if the client had gone. */
    private static BadRequestException tooSlow(Limit limit) {
        return new BadRequestException(
                "the body has to arrive within " + limit.time.toSeconds() + " s, without long pauses");
    }

    @Override
    public int available() {
        return connection.available();
    }
}
