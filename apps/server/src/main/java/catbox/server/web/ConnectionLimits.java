package catbox.server.web;

import java.time.Duration;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import outbox.spi.TimeSource;

/**
 * Keeps slow or hostile clients from using up what other clients need. Each request has a thread of its own, so a slow
 * client delays no other one. {@link HeaderTimeoutProtocol} limits the time for headers, {@link BodyValve} the time for
 * bodies, and a silent connection is closed soon.
 */
final class ConnectionLimits implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    /** The longest pause after connecting and between two parts of a request. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    /** The longest pause between two requests. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);
    /** Each connection can use 50 KiB of buffers. */
    static final int CONNECTIONS_MAX = 2_000;
    /** The limit for the bodies of all unauthenticated senders together. */
    private static final int ANONYMOUS_BYTES_MAX = 64 << 20;

    private final int javaFeature;

    ConnectionLimits(int javaFeature) {
        this.javaFeature = javaFeature;
    }

    /** Returns whether a virtual thread that waits in a monitor lets others run, as of JEP 491. */
    static boolean mayBeVirtual(int javaFeature) {
        return javaFeature >= 24;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.setProtocol(HeaderTimeoutProtocol.class.getName());
        factory.addEngineValves(new BodyValve(TimeSource.SYSTEM, ANONYMOUS_BYTES_MAX));
        factory.addConnectorCustomizers(connector -> {
            connector.setMaxPostSize(BoundedInput.KNOWN_BYTES_MAX);
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
                limit(http);
            }
        });
    }

    private void limit(AbstractHttp11Protocol<?> http) {
        if (mayBeVirtual(javaFeature)) {
            http.setExecutor(new VirtualThreadExecutor("catbox-http-"));
        } else {
            http.setMaxThreads(CONNECTIONS_MAX);
        }
        http.setMaxConnections(CONNECTIONS_MAX);
        http.setConnectionTimeout(Math.toIntExact(PAUSE_MAX.toMillis()));
        http.setKeepAliveTimeout(Math.toIntExact(KEEP_ALIVE.toMillis()));
        http.setDisableUploadTimeout(false);
        http.setConnectionUploadTimeout(Math.toIntExact(PAUSE_MAX.toMillis()));
    }
}
