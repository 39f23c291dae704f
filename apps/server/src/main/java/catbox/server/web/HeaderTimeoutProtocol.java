package catbox.server.web;

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
 * Closes connections whose request line and headers take too long. Tomcat limits only the pause between two reads, so a
 * client that sends its headers one byte at a time could keep a connection for hours. Tomcat makes this object by its
 * class name.
 */
public final class HeaderTimeoutProtocol extends Http11NioProtocol {

    /** From the first byte of a request to the end of its headers. */
    static final Duration HEADERS_MAX = Duration.ofSeconds(5);

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private @Nullable Future<?> checks; // used by the thread that starts and stops the server

    @Override
    public void start() throws Exception {
        super.start();
        checks = getUtilityExecutor()
                .scheduleWithFixedDelay(
                        this::closeLateConnections, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() throws Exception {
        if (checks != null) {
            checks.cancel(false);
        }
        super.stop();
    }

    private void closeLateConnections() {
        for (SocketWrapperBase<NioChannel> connection : getEndpoint().getConnections()) {
            if (isLate(connection)) {
                connection.setError(new SocketTimeoutException("the headers of a request took too long"));
                getEndpoint().processSocket(connection, SocketEvent.ERROR, true);
            }
        }
    }

    /**
     * Returns whether a request began too long ago and its headers are incomplete. A connection has no processor
     * between two requests, nor while a thread answers one, unless the answer is asynchronous.
     */
    private static boolean isLate(SocketWrapperBase<NioChannel> connection) {
        if (!(connection.getCurrentProcessor() instanceof Processor processor)
                || processor.isAsync()
                || processor.isUpgrade()) {
            return false;
        }
        long begunNanos = processor.getRequest().getStartTimeNanos(); // Negative before the first byte.
        return begunNanos >= 0 && TimeSource.SYSTEM.nanoTime() - begunNanos > HEADERS_MAX.toNanos();
    }
}
