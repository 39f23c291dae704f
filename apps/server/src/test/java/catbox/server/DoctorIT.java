package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.internal.Ulids;
import outbox.spi.operations.Finding;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/** What a running server finds wrong, each fault made on real parts; and nothing once it is repaired. */
class DoctorIT {

    @TempDir
    static Path folder;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .build();
    private static final AtomicInteger ANSWER = new AtomicInteger(200);
    private static String url;
    private static TestTable table;
    private static HttpServer receiver;
    private static TestServer server;
    private static Caller viewer;
    private static int events;

    @BeforeAll
    static void start() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        url = postgres.createDatabase("doctor");
        table = new TestTable(postgres, url, "outbox_event");
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(ANSWER.get(), -1);
            exchange.close();
        });
        receiver.start();
        server = TestServer.start(folder, yaml(""));
        server.awaitReady();
        viewer = Caller.withToken(server, "viewer");
    }

    private static String yaml(String more) {
        return """
                server: { port: 0 }
                sources:
                  orders:
                    url: '%s'
                    user: postgres
                    schema: install
                    retry-base-delay: 50ms
                    retry-max-delay: 100ms
                    max-attempts: 1000 # However slow a test is, what fails in it is alive when it is repaired.
                destinations:
                  web:
                    kind: http
                    base-url: 'http://127.0.0.1:%d/hook'
                    allow-private-addresses: true
                    breaker-failures: 3
                    breaker-open-time: 100ms
                    breaker-open-time-max: 200ms
                    final-statuses: 410
                  kafka: { kind: kafka, bootstrap-servers: '%s', topic: no-such-topic, breaker-failures: 0 }
                routes:
                  - { name: web, match: { event-type: 'Web*' }, to: web }
                  - { name: kafka, match: { event-type: 'Kafka*' }, to: kafka }
                %s
                """.formatted(
                url, receiver.getAddress().getPort(), DevServices.kafka().bootstrapServers(), more);
    }

    @AfterAll
    static void stop() {
        viewer.close();
        server.close();
        receiver.stop(0);
    }

    private static List<Finding> doctor() throws Exception {
        return JSON.readerForListOf(Finding.class)
                .readValue(viewer.get("/api/sources/orders/doctor").body());
    }

    private static Finding awaited(String code) {
        return Eventually.value(
                "the doctor finds " + code,
                () -> doctor().stream()
                        .filter(finding -> finding.code().equals(code))
                        .findFirst()
                        .orElse(null));
    }

    private static void awaitWell() {
        Eventually.happens("nothing is wrong", () -> {
            List<Finding> left = doctor();
            if (!left.isEmpty()) {
                throw new IllegalStateException("there is still " + left);
            }
            return true;
        });
    }

    private static void publishToWeb() throws Exception {
        table.publish("WebHook", "key-" + ++events, "{}");
    }

    private static void execute(String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(url, "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void findsNothingWhereAllIsWell() throws Exception {
        publishToWeb();

        awaitWell();
    }

    @Test
    void findsWhatIsWrongWithADestinationUntilItIsRepaired() throws Exception {
        ANSWER.set(503);
        publishToWeb();
        assertThat(awaited("destination-down").evidence())
                .startsWith("destination web, since ")
                .contains("answered 503", "next probe at");

        ANSWER.set(401);
        assertThat(awaited("destination-credentials-refused").evidence()).contains("answered 401");

        ANSWER.set(404);
        assertThat(awaited("destination-place-missing").evidence()).contains("answered 404");

        ANSWER.set(200);
        awaitWell();
    }

    @Test
    void advisesToReplayWhatHasDied() throws Exception {
        ANSWER.set(410);
        publishToWeb();
        Finding finding = awaited("destination-place-missing");
        assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
        assertThat(finding.evidence()).contains("answered 410");
        assertThat(finding.advice()).isEqualTo("Repair it, then replay the dead events.");

        ANSWER.set(200);
        awaited("dead-events");
        execute("DELETE FROM outbox_event WHERE status = 3");
        publishToWeb();
        awaitWell();
    }

    @Test
    void findsATopicThatIsMissing() throws Exception {
        table.publish("KafkaPlaced", "key-" + ++events, "{}");

        assertThat(awaited("destination-place-missing").evidence())
                .startsWith("destination kafka, address no-such-topic, since ")
                .contains("topic no-such-topic: the topic does not exist");
        server.rewrite(yaml("").replace("topic: no-such-topic", "topic: no-such-topic, create-topics: true"));
        assertThat(server.post("/reload").statusCode()).isEqualTo(200);
        awaitWell();
    }

    @Test
    void findsAnEventWithoutRoute() throws Exception {
        table.publish("Unheard", "key-" + ++events, "{}");
        assertThat(awaited("no-route").evidence()).contains("of type Unheard");

        execute("DELETE FROM outbox_event WHERE event_type = 'Unheard'");
        awaitWell();
    }

    @Test
    void findsThatAChangedFileWasRefused() throws Exception {
        server.rewrite(yaml("nonsense: true"));
        assertThat(server.post("/reload").statusCode()).isEqualTo(422);
        assertThat(awaited("reload-refused").evidence()).contains("nonsense");

        server.rewrite(yaml(""));
        assertThat(server.post("/reload").statusCode()).isEqualTo(200);
        awaitWell();
    }

    @Test
    void findsThatOldEventsWereNotPurged() throws Exception {
        Instant then = Instant.now().minus(Duration.ofDays(10));
        String id = Ulids.firstOf(then).substring(0, 10) + "0000000000000001";
        table.publish(
                EventEnvelope.builder("WebHook").eventId(id).payloadJson("{}").build());
        Eventually.happens("it is done", () -> table.count(0) == 0);
        execute("UPDATE outbox_event SET created_at = created_at - INTERVAL '10 days', done_at = done_at"
                + " - INTERVAL '10 days' WHERE event_id = '" + id + "'");
        assertThat(awaited("retention-late").evidence()).contains("are to be removed after 7 d 0 h");

        execute("DELETE FROM outbox_event WHERE event_id = '" + id + "'");
        awaitWell();
    }

    @Test
    void findsWhatIsWrongInTheDatabase() throws Exception {
        execute("DROP INDEX outbox_event_settled");
        assertThat(awaited("index-missing").evidence()).contains("outbox_event_settled");

        execute("CREATE INDEX outbox_event_settled ON outbox_event (status, done_at, created_at) WHERE status <> 0");
        awaitWell();
    }

    @Test
    void findsAPartOfTheRelayThatFails() throws Exception {
        execute("ALTER TABLE outbox_slot RENAME COLUMN owner TO nobody");
        try {
            assertThat(awaited("relay-part-failed").evidence()).contains("owner");
        } finally {
            execute("ALTER TABLE outbox_slot RENAME COLUMN nobody TO owner");
        }
        awaitWell();
    }
}
