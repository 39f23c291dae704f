package catbox.server.web;

import java.time.Duration;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import outbox.util.TimeSource;

/**
 * Keeps clients that are slow, or that mean harm, from taking what others need. Each request has a virtual thread of its
 * own, so that one that waits for its client keeps no other waiting, and {@link BodyValve} bounds how long it may.
 */
final class SlowClients implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    /** Between two parts of a body. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(5);

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addEngineValves(new BodyValve(TimeSource.SYSTEM));
        factory.addProtocolHandlerCustomizers(
                handler -> handler.setExecutor(new VirtualThreadExecutor("catbox-http-")));
        factory.addConnectorCustomizers(connector -> {
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
                http.setDisableUploadTimeout(false);
                http.setConnectionUploadTimeout(Math.toIntExact(SILENCE_MAX.toMillis()));
            }
        });
    }
}
