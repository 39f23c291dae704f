package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.server.config.OidcPlan;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.testkit.ManualTime;

class OidcProviderTest {

    private final AtomicInteger asked = new AtomicInteger();
    private final HttpServer server = broken();
    private final ManualTime time = new ManualTime();
    private final OidcProvider provider = new OidcProvider(
            new OidcPlan("http://127.0.0.1:" + server.getAddress().getPort(), "catbox", Optional.empty(), "roles"),
            Optional.empty(),
            time);

    private HttpServer broken() {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.createContext("/", exchange -> {
                asked.incrementAndGet();
                exchange.sendResponseHeaders(500, -1);
                exchange.close();
            });
            http.start();
            return http;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void isNotAskedAgainSoSoonAfterItHasFailed() {
        for (int n = 0; n < 100; n++) {
            assertThatThrownBy(() -> provider.authenticated("any")).isInstanceOf(OidcUnreachableException.class);
        }
        assertThat(asked).hasValue(1);

        time.advance(Duration.ofSeconds(5));
        assertThatThrownBy(() -> provider.authenticated("any")).isInstanceOf(OidcUnreachableException.class);
        assertThat(asked).hasValue(2);
    }
}
