package catbox.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DevServices;
import catbox.server.Eventually;
import catbox.server.config.ServerConfigReader;
import catbox.server.config.SourcePlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.spi.operations.Finding;

/** The findings name threads that wait for a connection. */
class PoolFindingIT {

    private static final int POOL_SIZE = 10;

    @TempDir
    Path folder;

    @Test
    void findsThatThePoolIsExhausted() throws Exception {
        String url = DevServices.postgres().createDatabase("pool_finding");
        try (SourceDatabase database = SourceDatabase.open(plan(url));
                Connection other = DriverManager.getConnection(url, "postgres", "");
                Statement statement = other.createStatement()) {
            database.prepareTables();
            assertThat(database.findings()).isEmpty();
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE outbox_event IN ACCESS EXCLUSIVE MODE");

            List<Thread> readers = new ArrayList<>();
            for (int n = 0; n < POOL_SIZE + 1; n++) {
                readers.add(Thread.ofPlatform()
                        .start(() -> database.adminStores().statistics().statistics(1)));
            }
            // At first more may wait: a connection that is being made is waited for too.
            Finding finding = Eventually.value(
                    "all connections are in use and one is waited for",
                    () -> database.findings().stream()
                            .filter(each -> each.evidence()
                                    .equals("connections in use: %1$d of %1$d, threads that wait for one: 1"
                                            .formatted(POOL_SIZE)))
                            .findFirst()
                            .orElse(null));
            other.rollback();
            for (Thread reader : readers) {
                reader.join();
            }

            assertThat(finding.code()).isEqualTo("pool-too-small");
            Eventually.happens("all is well again", () -> database.findings().isEmpty());
        }
    }

    private SourcePlan plan(String url) throws Exception {
        Path file = Files.writeString(
                folder.resolve("catbox.yaml"), """
                sources:
                  orders: { url: '%s', user: postgres, schema: install, workers: 1, pool-size: %d }
                destinations: { archive: { kind: file, path: %s } }
                """.formatted(url, POOL_SIZE, folder.resolve("archive")));
        return new ServerConfigReader(name -> "HOSTNAME".equals(name) ? "node-1" : null)
                .read(file)
                .sources()
                .get("orders");
    }
}
