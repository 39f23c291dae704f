package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is stopped while few events wait, and started again after all their retries would be over. */
class OutageIT {

    @TempDir
    Path folder;

    @Test
    void keepsAFewEventsThroughAnOutageOfTheirBroker() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("outage");
        try (KafkaBroker kafka = KafkaServer.start();
                TestServer server =
                        TestServer.start(folder, """
                        server: { port: 0 }
                        sources:
                          shop:
                            url: '%s'
                            user: '%s'
                            schema: install
                            max-attempts: 3
                            retry-base-delay: 10ms
                            retry-max-delay: 50ms
                        destinations:
                          kafka:
                            kind: kafka
                            bootstrap-servers: '%s'
                            create-topics: true
                            property.delivery.timeout.ms: 4000
                            property.request.timeout.ms: 2000
                        """.formatted(url, postgres.user(), kafka.bootstrapServers()))) {
            server.awaitReady();
            TestTable table = new TestTable(postgres, url, "outbox_event");
            table.publish("OrderPlaced", "order-0", "{}");
            table.awaitDone(1);
            server.awaitHealth("destinations/shop/kafka", "\"UP\"");

            LogLines log = new LogLines();
            kafka.stop();
            for (int n = 0; n < 5; n++) {
                table.publish("OrderPlaced", "order-" + n, "{}");
            }
            String down = server.awaitHealth("destinations/shop/kafka", "\"DOWN\"");
            assertThat(down).contains("downSince", "nextProbe", "lastError");
            awaitProbes(server);
            assertThat(table.count(1)).isEqualTo(1);
            assertThat(table.count(3)).as("dead").isZero();

            kafka.start();
            table.awaitDone(6);
            assertThat(attempts(postgres, url)).isZero();
            server.awaitHealth("destinations/shop/kafka", "\"UP\"");
            log.close();
            assertThat(log.with("destination kafka failed")).hasSize(1);
            assertThat(log.with("destination kafka works again")).hasSize(1);
            assertThat(log.with("org.apache.kafka")).as("%s", log.all()).hasSizeLessThan(12);
            assertThat(log.withStackTrace()).isEmpty();
        }
    }

    /** Waits until the destination has been probed more often than an event may be attempted. */
    private static void awaitProbes(TestServer server) {
        String[] last = {""};
        int[] probes = {0};
        Eventually.happens("the destination is probed six times", () -> {
            String health = server.health("destinations/shop/kafka");
            if (!health.equals(last[0])) {
                last[0] = health;
                probes[0]++;
            }
            return probes[0] > 6;
        });
    }

    private static int attempts(DatabaseServer postgres, String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url, postgres.user(), "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT coalesce(sum(attempts), 0) FROM outbox_event")) {
            row.next();
            return row.getInt(1);
        }
    }
}
