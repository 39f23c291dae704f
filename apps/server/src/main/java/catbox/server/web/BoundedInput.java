package catbox.server.web;

import catbox.server.access.Principal;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import outbox.spi.TimeSource;

/**
 * The body of one request, which has to arrive whole within a time, however busily its client sends. Who is not known has
 * less of both: that is enough for a login.
 */
final class BoundedInput implements InputBuffer {

    static final int ANONYMOUS_BYTES_MAX = 64 << 10;
    static final int KNOWN_BYTES_MAX = 8 << 20;

    private final InputBuffer connection;
    private final TimeSource time;
    private final long fromNanos;
    private long bytes;

    /** How long a body may take, and how large it may be. */
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
        // Asked each time: Spring Security may read a form before it knows who sends it.
        Limit limit = Principal.isKnown() ? Limit.KNOWN : Limit.ANONYMOUS;
        if (time.nanoTime() - fromNanos > limit.time.toNanos()) {
            throw BodyRefusedException.tooSlow(limit.time);
        }
        int read;
        try {
            read = connection.doRead(handler);
        } catch (SocketTimeoutException e) {
            throw BodyRefusedException.tooSlow(limit.time);
        }
        bytes += Math.max(0, read);
        if (bytes > limit.bytes) {
            throw BodyRefusedException.tooLarge(limit.bytes);
        }
        return read;
    }

    @Override
    public int available() {
        return connection.available();
    }
}
