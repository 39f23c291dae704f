package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.server.engine.Source;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.relay.Relay;
import outbox.testkit.EndedLoop;

/** A thread of a relay that has ended, which no failure does. */
class EndedThreadIT {

    @TempDir
    Path folder;

    @Test
    void failsReadinessAtOnceAndIsSeenByLiveness() throws Exception {
        try (TestServer server = TestServer.start(folder, """
                server: { port: 0 }
                sources:
                  orders: { url: 'jdbc:h2:mem:ended;DB_CLOSE_DELAY=-1', user: sa, schema: install }
                destinations:
                  archive: { kind: file, path: %s }
                """.formatted(folder.resolve("out")))) {
            server.awaitReady();
            assertThat(server.health("sources/orders/threads")).contains("\"UP\"");
            assertThat(server.health("destinations/orders/archive")).contains("\"UNKNOWN\"");

            Source orders = Objects.requireNonNull(server.engine().sources().get("orders"));
            Relay relay = orders.relay().orElseThrow();
            EndedLoop.in(relay, "threads", "assignment");

            server.awaitHealth("sources/orders/threads", "\"DOWN\"");
            assertThat(server.health("sources/orders/threads")).contains("outbox-relay-assign", "restart this process");
            assertThat(server.get("/actuator/health/readiness").statusCode()).isEqualTo(503);
            // For a while it is only seen here, and then the process is called dead.
            assertThat(server.health("liveness")).contains("orders: outbox-relay-assign");
            assertThat(server.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
        }
    }
}
