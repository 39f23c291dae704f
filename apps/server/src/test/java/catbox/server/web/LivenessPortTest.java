package catbox.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.testkit.ManualTime;

class LivenessPortTest {

    private final ManualTime time = new ManualTime();
    private volatile List<String> ended = List.of();
    private final LivenessPort port = new LivenessPort("127.0.0.1", 0, new ThreadHealth(() -> ended, time));

    @AfterEach
    void stop() {
        port.stop();
    }

    @Test
    void isDownAfterAThreadOfARelayHasBeenMissingForTheDelay() throws Exception {
        assertThat(status("/actuator/health/liveness")).isEqualTo(200);

        ended = List.of("orders: outbox-relay-heartbeat");
        assertThat(status("/actuator/health/liveness")).isEqualTo(200);
        time.advance(ThreadHealth.DELAY);
        assertThat(status("/actuator/health/liveness")).isEqualTo(503);
    }

    @Test
    void servesOnlyLiveness() throws Exception {
        assertThat(status("/actuator/prometheus")).isEqualTo(404);
    }

    private int status(String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI address = URI.create("http://127.0.0.1:" + port.port() + path);
            return client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
