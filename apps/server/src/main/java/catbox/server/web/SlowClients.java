package catbox.server.web;

import java.time.Duration;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import outbox.spi.TimeSource;

/**
 * Keeps clients that are slow, or that mean harm, from taking what others need. Each request has a thread of its own, so
 * that one that waits for its client keeps no other waiting; {@link PromptHttp11} bounds how long its headers may take and
 * {@link BodyValve} how long its body may, and a connection that says nothing is ended soon.
 */
final class SlowClients implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    /** At the beginning of a connection, and between two parts of a request. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(5);
    /** Between two requests. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);
    /** Each may have to have 50 KiB of buffers. */
    static final int CONNECTIONS_MAX = 2_000;
    /** Of bodies whose senders are not known. */
    private static final int ROOM_BYTES = 64 << 20;

    private final int javaFeature;

    SlowClients(int javaFeature) {
        this.javaFeature = javaFeature;
    }

    /** Whether a virtual thread that waits in a monitor lets others run (JEP 491); before that it may stop all of them. */
    static boolean mayBeVirtual(int javaFeature) {
        return javaFeature >= 24;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.setProtocol(PromptHttp11.class.getName());
        factory.addEngineValves(new BodyValve(TimeSource.SYSTEM, ROOM_BYTES));
        factory.addConnectorCustomizers(connector -> {
            connector.setMaxPostSize(BoundedInput.KNOWN_BYTES_MAX);
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
                bound(http);
            }
        });
    }

    private void bound(AbstractHttp11Protocol<?> http) {
        if (mayBeVirtual(javaFeature)) {
            http.setExecutor(new VirtualThreadExecutor("catbox-http-"));
        } else {
            http.setMaxThreads(CONNECTIONS_MAX);
        }
        http.setMaxConnections(CONNECTIONS_MAX);
        http.setConnectionTimeout(Math.toIntExact(SILENCE_MAX.toMillis()));
        http.setKeepAliveTimeout(Math.toIntExact(KEEP_ALIVE.toMillis()));
        http.setDisableUploadTimeout(false);
        http.setConnectionUploadTimeout(Math.toIntExact(SILENCE_MAX.toMillis()));
    }
}
