package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.EventEnvelope;
import outbox.admin.Operation;
import outbox.testkit.RowCorpus;
import outbox.testkit.RowCorpus.OddRow;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Odd rows of every kind under a running server: every other event is delivered, and every call and page is answered. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CorpusIT {

    private static final int ROWS_MIN = 60;
    private static final List<String> STATES = List.of("", "pending", "retry", "done", "dead");

    @TempDir
    static Path folder;

    private static final JsonMapper JSON = JsonMapper.shared();

    /** The last one leaves rows of an unknown status as they are, since it has no slots. */
    private static final List<Outbox> OUTBOXES = List.of(
            Outbox.of("postgres", "partitioned", DevServices.postgres()),
            Outbox.of("mariadb", "partitioned", DevServices.mariaDb()),
            Outbox.of("untouched", "lease", DevServices.postgres()));

    private static final Map<Outbox, Map<String, OddRow>> ROWS = new HashMap<>();
    private static final Map<Outbox, List<String>> GOOD = new HashMap<>();
    private static TestServer server;

    private final SoftAssertions softly = new SoftAssertions();

    /** An outbox that the server relays. */
    record Outbox(String name, String claim, DatabaseServer database, String url) {

        static Outbox of(String name, String claim, DatabaseServer database) {
            return new Outbox(name, claim, database, database.createDatabase("corpus_" + name));
        }

        String yaml() {
            return "  %s: { url: '%s', user: %s, schema: install, claim: %s, max-attempts: 1 }\n"
                    .formatted(name, url, database.user(), claim);
        }

        Connection connect() throws SQLException {
            return DriverManager.getConnection(url, database.user(), database.password());
        }

        TestTable table() {
            return new TestTable(database, url, "outbox_event");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Outbox> outboxes() {
        return OUTBOXES;
    }

    @BeforeAll
    static void start() throws Exception {
        StringBuilder sources = new StringBuilder();
        for (Outbox outbox : OUTBOXES) {
            sources.append(outbox.yaml());
        }
        server = TestServer.start(
                folder,
                "server: { port: 0 }\nsources:\n" + sources + "destinations:\n  archive: { kind: file, path: "
                        + folder.resolve("archive") + " }\nroutes:\n  - { name: all, to: archive }\n"
                        + TestAccess.yaml());
        server.awaitReady();
        for (Outbox outbox : OUTBOXES) {
            List<String> good = new ArrayList<>(publish(outbox));
            Map<String, OddRow> rows = new TreeMap<>();
            try (Connection connection = outbox.connect()) {
                RowCorpus.open(connection);
                RowCorpus.insert(connection).forEach(row -> rows.put(row.eventId(), row));
            }
            good.addAll(publish(outbox));
            assertThat(rows.size()).isGreaterThanOrEqualTo(ROWS_MIN);
            ROWS.put(outbox, rows);
            GOOD.put(outbox, good);
        }
    }

    private static List<String> publish(Outbox outbox) throws Exception {
        List<EventEnvelope> events = IntStream.range(0, 10)
                .mapToObj(n -> EventEnvelope.builder("Good")
                        .orderingKey("good-" + n)
                        .payloadJson("{}")
                        .build())
                .toList();
        for (EventEnvelope event : events) {
            outbox.table().publish(event);
        }
        return events.stream().map(EventEnvelope::eventId).toList();
    }

    @AfterEach
    void allAnswered() {
        softly.assertAll();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @MethodSource("outboxes")
    void everyOtherEventIsDeliveredAndEveryCallIsAnswered(Outbox outbox) throws Exception {
        try (Caller caller = Caller.withToken(server, "admin")) {
            String api = "/api/sources/" + outbox.name() + "/";
            for (Operation operation : Operation.values()) {
                if (operation.kind() == Operation.Kind.SEE
                        && operation != Operation.EVENT
                        && operation != Operation.KEY) {
                    assertAnswered(caller, api + operation.word());
                }
            }
            for (OddRow row : ROWS.get(outbox).values()) {
                assertAnswered(caller, api + "event?id=" + encoded(row.eventId()));
                if (!key(row).isEmpty()) {
                    assertAnswered(caller, api + "key?key=" + encoded(key(row)));
                }
            }
            for (String state : STATES) {
                List<String> listed = listed(caller, api + "events?limit=40&state=" + state);
                if (state.isEmpty()) {
                    assertThat(listed).containsAll(ROWS.get(outbox).keySet()).containsAll(GOOD.get(outbox));
                }
            }
            Eventually.happens("every good event is done", () -> {
                List<String> done = listed(caller, api + "events?limit=40&state=done");
                return done.containsAll(GOOD.get(outbox));
            });
        }
    }

    @ParameterizedTest
    @MethodSource("outboxes")
    void everyPageIsShown(Outbox outbox) throws Exception {
        try (Caller person = Caller.loggedIn(server, "admin", "admin")) {
            String source = "source=" + outbox.name();
            for (String page : List.of(
                    "/",
                    "/attention",
                    "/dead",
                    "/cluster",
                    "/destinations",
                    "/routes",
                    "/holds",
                    "/audit",
                    "/doctor")) {
                assertAnswered(person, page + "?" + source);
            }
            for (String state : STATES) {
                assertAnswered(person, "/events?" + source + "&state=" + state);
            }
            for (OddRow row : ROWS.get(outbox).values()) {
                String id = source + "&id=" + encoded(row.eventId());
                assertAnswered(person, "/event?" + id);
                assertAnswered(person, "/edit?" + id);
                assertAnswered(person, "/confirm/replay?" + id);
                assertAnswered(person, "/confirm/discard?" + id);
                assertAnswered(person, "/key?" + source + "&key=" + encoded(key(row)));
            }
        }
    }

    @Test
    void metricsAndHealthAreAnswered() throws Exception {
        try (Caller caller = Caller.withToken(server, "admin")) {
            assertAnswered(caller, "/actuator/prometheus");
            assertAnswered(caller, "/actuator/health/readiness");
        }
    }

    // ---- helpers -------------------------------------------------------------------------------------------------

    private static String key(OddRow row) {
        return row.columns().get("ordering_key") instanceof String key ? key : row.eventId();
    }

    private List<String> listed(Caller caller, String list) throws Exception {
        List<String> ids = new ArrayList<>();
        @Nullable String next = "";
        for (int pages = 0; next != null; pages++) {
            assertThat(pages).isLessThan(100);
            JsonNode page = JSON.readTree(assertAnswered(caller, list + (next.isEmpty() ? "" : "&after=" + next)));
            page.path("events").forEach(event -> ids.add(event.path("eventId").asString()));
            next = page.path("next").isString() ? page.path("next").asString() : null;
        }
        return ids;
    }

    private String assertAnswered(Caller caller, String path) throws Exception {
        HttpResponse<String> answer = caller.get(path);
        int from = Math.max(0, answer.body().indexOf("<main"));
        softly.assertThat(answer.statusCode())
                .as(() -> path + ": "
                        + answer.body()
                                .substring(
                                        from,
                                        Math.min(from + 1_000, answer.body().length())))
                .isEqualTo(200);
        return answer.body();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
