package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.IndexOptions;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.admin.Operation;
import outbox.internal.Ulids;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every operation over HTTP, and every page, on a real replica set. */
class MongoOperatingIT {

    private static final String API = "/api/sources/orders/";
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    static Path folder;

    private static TestCollection orders;
    private static BrokenApi broken;
    private static TestServer server;
    private static Caller admin;

    @BeforeAll
    static void start() throws Exception {
        String uri = TestCollection.sharedUri();
        String database = "operating_" + Ulids.SYSTEM.next();
        orders = new TestCollection(uri, database);
        broken = new BrokenApi();
        server = TestServer.start(
                folder, """
                server: { port: 0 }
                sources: { orders: { url: '%s', mongo-database: %s, schema: install, max-attempts: 1 } }
                destinations:
                  archive: { kind: file, path: %s }
                  nowhere: { kind: http, base-url: '%s', allow-private-addresses: true }
                routes:
                  - { name: failing, match: { event-type: 'Fail*' }, to: 'nowhere/{eventType}' }
                  - { name: rest, to: archive }
                """.formatted(uri, database, folder.resolve("archive"), broken.url()) + TestAccess.yaml());
        admin = Caller.withToken(server, "admin");
        server.awaitReady();
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable each : Stream.of(admin, server, orders, broken)
                .filter(Objects::nonNull)
                .toList()) {
            each.close();
        }
    }

    @Test
    void findsWhatIsDeadSaysWhyMendsItAndSendsItAgain() throws Exception {
        String mistyped = publish("FailPayment", "order-1");
        String unwanted = publish("FailPayment", "order-2");
        String again = publish("FailPayment", "order-3");
        String fine = publish("Placed", "order-4");
        awaitState(mistyped, "dead");
        awaitState(unwanted, "dead");
        awaitState(again, "dead");
        awaitState(fine, "done");

        assertThat(see("overview").at("/dead/counted").intValue()).isEqualTo(3);
        assertThat(see("dead").toString()).contains("FailPayment");
        assertThat(see("event?id=" + mistyped).at("/attempts")).hasSize(1);
        assertThat(see("key?key=order-1").toString()).contains("order-1");
        assertThat(see("events?state=done&limit=1").toString()).contains(fine);

        does("pause", "{\"subject\":{\"kind\":\"key\",\"name\":\"order-3\"},\"reason\":\"a look\"}");
        assertThat(see("pauses").toString()).contains("order-3", "a look");
        does("replay", "{\"selection\":{\"ids\":[\"" + again + "\"]}}");
        assertThat(see("event?id=" + again).at("/acts/0/action").stringValue()).isEqualTo("replay");
        does("resume", "{\"subject\":{\"kind\":\"key\",\"name\":\"order-3\"}}");
        awaitState(again, "dead");

        does("discard", "{\"selection\":{\"ids\":[\"" + unwanted + "\"]},\"reason\":\"unwanted\",\"confirm\":true}");
        assertThat(see("event?id=" + unwanted).toString()).contains("not delivered; why: unwanted");
        does(
                "edit",
                "{\"eventId\":\"" + mistyped + "\",\"edit\":{\"payloadJson\":\"{\\\"n\\\":2}\"},\"replay\":true,"
                        + "\"reason\":\"a typo\",\"confirm\":true}");
        assertThat(see("event?id=" + mistyped).toString()).contains("a typo");
        try (Caller reader = Caller.withToken(server, "reader")) {
            assertThat(reader.post(API + "reveal", "{\"eventId\":\"" + mistyped + "\"}")
                            .body())
                    .contains("\\\"n\\\":2");
        }
        assertThat(see("audit?limit=100"))
                .extracting(entry -> entry.get("action").stringValue())
                .contains("hold", "resume", "replay", "discard", "edit", "reveal", "acquire");
    }

    @Test
    void everyOtherOperationWorksToo() throws Exception {
        String fine = publish("Placed", "order-9");
        awaitState(fine, "done");
        for (Operation operation : List.of(
                Operation.NODES,
                Operation.PARTITIONS,
                Operation.DESTINATIONS,
                Operation.ROUTES,
                Operation.PAUSES,
                Operation.DOCTOR)) {
            see(operation.id());
        }
        Instant now = Instant.now();
        String times = "\"from\":\"%s\",\"before\":\"%s\""
                .formatted(now.minus(1, ChronoUnit.HOURS), now.plus(1, ChronoUnit.HOURS));
        JsonNode sent = does("resend", "{" + times + ",\"eventType\":\"Placed\",\"destination\":\"archive\"}");
        assertThat(sent.get("changed").intValue()).isPositive();
        does("rebalance", "{}");
        does("purge", "{\"olderThan\":\"P30D\",\"dryRun\":true}");
        assertThat(admin.post(API + "drain", "{\"nodeId\":\"none\",\"reason\":\"a try\"}")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void everyPageOpens() throws Exception {
        publish("Placed", "order-5");
        try (Caller person = Caller.loggedIn(server, "admin", "admin")) {
            for (String page :
                    List.of("/", "/events", "/dead", "/cluster", "/destinations", "/pauses", "/audit", "/doctor")) {
                HttpResponse<String> answer = person.get(page + "?source=orders");
                assertThat(answer.statusCode())
                        .as("%s: %s", page, answer.body())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void theDoctorLooksIntoTheDatabase() throws Exception {
        orders.database().getCollection("outbox_event").dropIndex("dead");
        try {
            assertThat(see("doctor"))
                    .extracting(finding -> finding.get("code").stringValue())
                    .contains("index-missing");
        } finally {
            orders.database()
                    .getCollection("outbox_event")
                    .createIndex(
                            new Document("createdAt", 1).append("_id", 1),
                            new IndexOptions().name("dead").partialFilterExpression(new Document("status", "FAILED")));
        }
    }

    private static String publish(String type, String key) {
        EventEnvelope event = EventEnvelope.builder(type)
                .aggregateId(key)
                .payloadJson("{\"n\":1}")
                .build();
        orders.publish(event);
        return event.eventId();
    }

    private static void awaitState(String eventId, String state) {
        Eventually.happens(eventId + " is " + state, () -> {
            Document event = orders.database()
                    .getCollection("outbox_event")
                    .find(new Document("_id", eventId))
                    .first();
            return event != null && event.getString("status").equals(state.equals("dead") ? "FAILED" : "COMPLETED");
        });
    }

    private static JsonNode see(String operation) throws Exception {
        return answered(admin.get(API + operation), operation);
    }

    private static JsonNode does(String operation, String body) throws Exception {
        return answered(admin.post(API + operation, body), operation);
    }

    private static JsonNode answered(HttpResponse<String> answer, String operation) {
        assertThat(answer.statusCode()).as("%s: %s", operation, answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }
}
