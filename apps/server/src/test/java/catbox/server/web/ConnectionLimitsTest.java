package catbox.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

class ConnectionLimitsTest {

    /** A virtual thread that waits in a monitor keeps its carrier before Java 24, so that a few clients stop all others. */
    @ParameterizedTest
    @CsvSource({"21, false", "23, false", "24, true", "25, true"})
    void usesVirtualThreadsOnlyWhereTheyLetOthersRun(int javaFeature, boolean virtual) throws Exception {
        assertThat(connector(javaFeature).getExecutor() instanceof VirtualThreadExecutor)
                .isEqualTo(virtual);
        try (ExecutorService threads = HealthListener.threads(javaFeature)) {
            Future<Boolean> isVirtual =
                    threads.submit(() -> Thread.currentThread().isVirtual());
            assertThat(isVirtual.get()).isEqualTo(virtual);
        }
    }

    @Test
    void hasAThreadForEachConnectionWhereTheyAreNotVirtual() {
        AbstractHttp11Protocol<?> connector = connector(21);

        assertThat(connector.getMaxThreads()).isEqualTo(2_000);
        assertThat(connector.getMaxConnections()).isEqualTo(2_000);
    }

    private static AbstractHttp11Protocol<?> connector(int javaFeature) {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory();
        new ConnectionLimits(javaFeature).customize(factory);
        Connector connector = new Connector();
        factory.getConnectorCustomizers().forEach(customizer -> customizer.customize(connector));
        return (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
    }
}
