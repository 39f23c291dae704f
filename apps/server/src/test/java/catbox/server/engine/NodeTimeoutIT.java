package catbox.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import catbox.devservices.FaultyProxy;
import catbox.server.config.ServerConfigReader;
import catbox.server.config.SourcePlan;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import outbox.OutboxException;
import outbox.spi.relay.PartitionStore;
import outbox.testkit.Stopwatch;

/** The time-out of a node, as it is configured, limits how long its database may take to answer. */
@Timeout(60)
class NodeTimeoutIT {

    @TempDir
    Path folder;

    @Test
    void limitsHowLongTheRelayWaitsForItsDatabase() throws Exception {
        DatabaseServer server = DevServices.postgres();
        String url = server.createDatabase("node_timeout");
        int port = URI.create(url.substring("jdbc:".length())).getPort();
        try (FaultyProxy proxy = FaultyProxy.to(port);
                SourceDatabase database = SourceDatabase.open(plan(url.replace(":" + port, ":" + proxy.port())))) {
            database.prepareTables();
            PartitionStore relay = database.stores().partitions();
            relay.acknowledged(List.of("an-event"));
            proxy.swallow();

            assertThat(Stopwatch.time(() -> assertThatThrownBy(() -> relay.acknowledged(List.of("an-event")))
                            .isInstanceOf(OutboxException.class)))
                    .isLessThan(Duration.ofSeconds(5));
            proxy.pass();
        }
    }

    private SourcePlan plan(String url) throws Exception {
        Path file = Files.writeString(folder.resolve("catbox.yaml"), """
                node: { node-timeout: 4s }
                sources:
                  orders: { url: '%s', user: postgres, schema: install }
                destinations: { archive: { kind: file, path: %s } }
                """.formatted(url, folder.resolve("archive")));
        return new ServerConfigReader(name -> "HOSTNAME".equals(name) ? "node-1" : null)
                .read(file)
                .sources()
                .get("orders");
    }
}
