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
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is stopped while few events wait, and started again after all their retries would be over. */
class OutageIT {

    private static final int ATTEMPTS_MAX = 3;
    /** Until Kafka's client gives up, and the rest before the next attempt. */
    private static final Duration ATTEMPT_MAX = Duration.ofMillis(4_050);

    private static final Pattern DOWN_SINCE = Pattern.compile("\"downSince\":\"([^\"]+)\"");

    @TempDir
    Path folder;

    @Test
    void keepsAFewEventsThroughAnOutageOfTheirBroker() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("outage");
        try (KafkaBroker kafka = KafkaServer.start();
                TestServer server = TestServer.start(
                        folder, """
                        server: { port: 0 }
                        sources:
                          shop:
                            url: '%s'
                            user: '%s'
                            schema: install
                            max-attempts: %d
                            retry-base-delay: 10ms
                            retry-max-delay: 50ms
                        destinations:
                          kafka:
                            kind: kafka
                            bootstrap-servers: '%s'
                            create-topics: true
                            breaker-open-time: 100ms
                            breaker-open-time-max: 500ms
                            property.delivery.timeout.ms: 4000
                            property.request.timeout.ms: 2000
                        """.formatted(url, postgres.user(), ATTEMPTS_MAX, kafka.bootstrapServers()))) {
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
            awaitTheEndOfAllRetries(server, down);
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

    /**
     * Waits until more probes have failed than an event may be attempted, each with an event, and for longer than so many
     * attempts take: would one of them count, the events would be dead.
     */
    private static void awaitTheEndOfAllRetries(TestServer server, String down) {
        Eventually.happens(
                "more probes have failed than an event has attempts",
                () -> server.meter("outbox_deliver_breaker_changes_total{destination=\"kafka\",outcome=\"open\"")
                        > 2 * ATTEMPTS_MAX);
        Matcher since = DOWN_SINCE.matcher(down);
        assertThat(since.find()).isTrue();
        Instant end = Instant.parse(since.group(1)).plus(ATTEMPT_MAX.multipliedBy(ATTEMPTS_MAX));
        Eventually.happens(
                "the outage has lasted for longer than all attempts",
                () -> Instant.now().isAfter(end));
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
