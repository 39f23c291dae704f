package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import catbox.devservices.MongoDbServer;
import catbox.devservices.MySqlServer;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertOneOptions;
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
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.bson.Document;
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
import outbox.internal.Ulids;
import outbox.testkit.RowCorpus;
import outbox.testkit.RowCorpus.OddRow;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Odd rows of every kind under a running server: every other event is delivered, and every call and page is answered. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CorpusIT {

    private static final int ODD_MIN = 60;
    private static final List<String> STATES = List.of("", "pending", "retry", "done", "dead");

    @TempDir
    static Path folder;

    private static final JsonMapper JSON = JsonMapper.shared();

    private static final List<Outbox> OUTBOXES = new ArrayList<>();

    private static final Map<Outbox, Map<String, String>> KEYS = new HashMap<>();
    private static final Map<Outbox, List<String>> GOOD = new HashMap<>();
    private static TestServer server;

    private final SoftAssertions softly = new SoftAssertions();

    /** An outbox that the server relays. */
    interface Outbox {

        String name();

        /** Of its source, but for the name. */
        String yaml();

        void publish(EventEnvelope event) throws SQLException;

        /** Has another program write what is odd; returns the key of each by its id. */
        Map<String, String> insertOdd() throws SQLException;
    }

    private record Table(String name, String claim, String url, String user, String password) implements Outbox {

        static Table on(DatabaseServer server, String name, String claim) {
            return new Table(name, claim, server.createDatabase("corpus_" + name), server.user(), server.password());
        }

        @Override
        public String yaml() {
            return "url: '%s', user: %s, claim-strategy: %s".formatted(url, user, claim);
        }

        @Override
        public void publish(EventEnvelope event) throws SQLException {
            new TestTable(url, user, "outbox_event").publish(event);
        }

        @Override
        public Map<String, String> insertOdd() throws SQLException {
            Map<String, String> keys = new TreeMap<>();
            try (Connection connection = DriverManager.getConnection(url, user, password)) {
                RowCorpus.open(connection);
                for (OddRow row : RowCorpus.insert(connection)) {
                    boolean hasKey = row.columns().get("ordering_key") instanceof String;
                    keys.put(
                            row.eventId(), hasKey ? String.valueOf(row.columns().get("ordering_key")) : row.eventId());
                }
            }
            return keys;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private record Documents(String name, String uri, TestCollection collection) implements Outbox {

        @Override
        public String yaml() {
            return "url: '%s', mongo-database: %s"
                    .formatted(uri, collection.source().databaseName());
        }

        @Override
        public void publish(EventEnvelope event) {
            collection.publish(event);
        }

        /** Every field but the status is missing, or of another type, in turn; the validator would refuse them. */
        @Override
        public Map<String, String> insertOdd() {
            MongoCollection<Document> events = collection
                    .database()
                    .getCollection(collection.source().names().event());
            Document plain = Objects.requireNonNull(events.find().first());
            Map<String, String> keys = new TreeMap<>();
            List<Object> values = List.of(new Document("a", 1), List.of(1), 4.5, true, "odd\n'\"<b>");
            for (String field : plain.keySet()) {
                if (!field.equals("_id") && !field.equals("status")) {
                    Document without = new Document(plain);
                    without.remove(field);
                    insert(events, without, keys);
                    values.forEach(value -> insert(events, new Document(plain).append(field, value), keys));
                }
            }
            return keys;
        }

        private static void insert(MongoCollection<Document> events, Document odd, Map<String, String> keys) {
            String id = "odd-" + keys.size();
            events.insertOne(
                    odd.append("_id", id).append("status", "PENDING"),
                    new InsertOneOptions().bypassDocumentValidation(true));
            keys.put(id, id);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** What can be had here. The one that is named untouched leaves rows of an unknown status as they are: it has no slots. */
    private static void openOutboxes() {
        OUTBOXES.add(Table.on(DevServices.postgres(), "postgres", "partitioned"));
        OUTBOXES.add(Table.on(DevServices.mariaDb(), "mariadb", "partitioned"));
        OUTBOXES.add(Table.on(DevServices.postgres(), "untouched", "lease"));
        OUTBOXES.add(new Table("h2", "partitioned", "jdbc:h2:mem:corpus;DB_CLOSE_DELAY=-1", "sa", ""));
        MySqlServer.unavailableReason()
                .ifPresentOrElse(
                        why -> System.err.println("!!! SKIPPED: odd rows on MySQL. " + why),
                        () -> OUTBOXES.add(Table.on(DevServices.mySql(), "mysql", "partitioned")));
        if (MongoDbServer.givenUri().isEmpty()
                && MongoDbServer.unavailableReason().isPresent()) {
            System.err.println("!!! SKIPPED: odd documents on MongoDB. "
                    + MongoDbServer.unavailableReason().get());
        } else {
            String uri = DevServices.mongoDbUri();
            OUTBOXES.add(new Documents("mongodb", uri, new TestCollection(uri, "corpus_" + Ulids.SYSTEM.next())));
        }
    }

    static List<Outbox> outboxes() {
        return OUTBOXES;
    }

    @BeforeAll
    static void start() throws Exception {
        openOutboxes();
        StringBuilder sources = new StringBuilder();
        for (Outbox outbox : OUTBOXES) {
            sources.append("  %s: { %s, schema: install, max-attempts: 1 }\n".formatted(outbox.name(), outbox.yaml()));
        }
        server = TestServer.start(
                folder,
                "server: { port: 0 }\nsources:\n" + sources + "destinations:\n  archive: { kind: file, path: "
                        + folder.resolve("archive") + " }\nroutes:\n  - { name: all, to: archive }\n"
                        + TestAccess.yaml());
        server.awaitReady();
        for (Outbox outbox : OUTBOXES) {
            List<String> good = new ArrayList<>(publish(outbox));
            Map<String, String> odd = outbox.insertOdd();
            good.addAll(publish(outbox));
            assertThat(odd.size()).as("%s", outbox).isGreaterThanOrEqualTo(ODD_MIN);
            KEYS.put(outbox, odd);
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
            outbox.publish(event);
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
        for (Outbox outbox : OUTBOXES) {
            if (outbox instanceof Documents documents) {
                documents.collection().close();
            }
        }
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
                    assertAnswered(caller, api + operation.id());
                }
            }
            for (Map.Entry<String, String> odd : KEYS.get(outbox).entrySet()) {
                assertAnswered(caller, api + "event?id=" + encoded(odd.getKey()));
                if (!odd.getValue().isEmpty()) {
                    assertAnswered(caller, api + "key?key=" + encoded(odd.getValue()));
                }
            }
            for (String state : STATES) {
                List<String> listed = listed(caller, api + "events?limit=40&state=" + state);
                if (state.isEmpty()) {
                    assertThat(listed).containsAll(KEYS.get(outbox).keySet()).containsAll(GOOD.get(outbox));
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
                    "/pauses",
                    "/audit",
                    "/doctor",
                    "/resend",
                    "/resend?destination=archive",
                    "/purge",
                    "/confirm/purge?days=1",
                    "/confirm/resend?from=2020-01-01T00:00&before=2099-01-01T00:00&destination=archive")) {
                assertAnswered(person, page + (page.contains("?") ? "&" : "?") + source);
            }
            for (String state : STATES) {
                assertAnswered(person, "/events?" + source + "&state=" + state);
            }
            for (Map.Entry<String, String> odd : KEYS.get(outbox).entrySet()) {
                String id = source + "&id=" + encoded(odd.getKey());
                assertAnswered(person, "/event?" + id);
                assertAnswered(person, "/edit?" + id);
                assertAnswered(person, "/confirm/replay?" + id);
                assertAnswered(person, "/confirm/discard?" + id);
                assertAnswered(person, "/key?" + source + "&key=" + encoded(odd.getValue()));
                String find = "/find?" + source + "&q=" + encoded(odd.getKey());
                softly.assertThat(person.get(find).statusCode()).as(find).isEqualTo(302);
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
