package catbox.server.web;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * Ends connections whose request line and headers take too long together. Tomcat itself bounds only the silence between two
 * reads, so a client that sends its headers one byte at a time would hold a connection for hours. Tomcat makes this object
 * by its name.
 */
public final class PromptHttp11 extends Http11NioProtocol {

    /** From the first byte of a request to the end of its headers. */
    static final Duration HEADERS_MAX = Duration.ofSeconds(5);

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private @Nullable Future<?> watching; // of who starts and stops it

    @Override
    public void start() throws Exception {
        super.start();
        watching = getUtilityExecutor()
                .scheduleWithFixedDelay(
                        this::endLateHeaders, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() throws Exception {
        if (watching != null) {
            watching.cancel(false);
        }
        super.stop();
    }

    private void endLateHeaders() {
        for (SocketWrapperBase<NioChannel> connection : getEndpoint().getConnections()) {
            if (awaitsHeadersForTooLong(connection)) {
                IOException late = new SocketTimeoutException("the headers of a request took too long");
                connection.setError(late);
                getEndpoint().processSocket(connection, SocketEvent.ERROR, true);
            }
        }
    }

    /**
     * Whether a request has begun that long ago, and its headers have not ended. Between two requests a connection has no
     * processor, and while a request is answered a thread has taken it; asynchronous answers say that they are.
     */
    private static boolean awaitsHeadersForTooLong(SocketWrapperBase<NioChannel> connection) {
        if (!(connection.getCurrentProcessor() instanceof Processor processor)
                || processor.isAsync()
                || processor.isUpgrade()) {
            return false;
        }
        long begunNanos = processor.getRequest().getStartTimeNanos(); // Negative before the first byte.
        return begunNanos >= 0 && TimeSource.SYSTEM.nanoTime() - begunNanos > HEADERS_MAX.toNanos();
    }
}
