package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.admin.Operation;
import outbox.admin.Role;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every operation over HTTP, as everybody, on a real PostgreSQL. */
class ApiIT {

    private static final String DONE = "01DONE00000000000000000001";
    private static final String DEAD = "01DEAD00000000000000000001";
    private static final String API = "/api/sources/orders/";

    @TempDir
    static Path folder;

    private static BrokenApi broken;
    private static TestServer server;
    private static TestTable table;
    private static final JsonMapper JSON = JsonMapper.shared();

    @BeforeAll
    static void start() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("api");
        table = new TestTable(postgres, url, "outbox_event");
        broken = new BrokenApi();
        server = TestServer.start(
                folder, """
                server: { port: 0 }
                sources: { orders: { url: '%s', user: postgres, schema: install, max-attempts: 1 } }
                destinations:
                  archive: { kind: file, path: %s }
                  nowhere: { kind: http, base-url: '%s', allow-private-addresses: true }
                routes:
                  - { name: failing, match: { event-type: 'Fail*' }, to: 'nowhere/{eventType}' }
                  - { name: rest, to: archive }
                """.formatted(url, folder.resolve("archive"), broken.url()) + TestAccess.yaml());
        server.awaitReady();
        publish(DONE, "Placed", "order-1");
        publish("01DONE00000000000000000002", "Placed", "order-1");
        publish(DEAD, "FailPayment", "order-2");
        Eventually.happens("two are done and one is dead", () -> table.count(1) == 2 && table.count(3) == 1);
    }

    private static void publish(String id, String type, String key) throws Exception {
        table.publish(EventEnvelope.builder(type)
                .eventId(id)
                .aggregateId(key)
                .payloadJson("{\"secret\":\"of " + id + "\"}")
                .build());
    }

    @AfterAll
    static void stop() {
        server.close();
        broken.close();
    }

    // ---- everything, as everybody
    // ------------------------------------------------------------------------------------

    /** Everybody there is, by the name of his token; the rights are written down here once more, on purpose. */
    enum Asker {
        ANONYMOUS(null, false),
        VIEWER(Role.VIEWER, false),
        READER(Role.VIEWER, true),
        OPERATOR(Role.OPERATOR, false),
        ADMIN(Role.ADMIN, false);

        private final @Nullable Role role;
        private final boolean reads;

        Asker(@Nullable Role role, boolean reads) {
            this.role = role;
            this.reads = reads;
        }

        /** 401 and 403 for who may not, and what such a request is answered with for who may. */
        int status(Operation operation) {
            if (role == null) {
                return 401;
            }
            boolean allowed = switch (operation) {
                case OVERVIEW, EVENTS, EVENT, KEY, DEAD, NODES -> true;
                case PARTITIONS, DESTINATIONS, ROUTES, PAUSES, AUDIT, DOCTOR -> true;
                case REVEAL -> reads;
                case REPLAY, PAUSE, RESUME, RESEND -> role == Role.OPERATOR || role == Role.ADMIN;
                case EDIT, DISCARD, DRAIN, REBALANCE, PURGE -> role == Role.ADMIN;
            };
            return !allowed ? 403 : operation == Operation.DRAIN ? 404 : 200; // There is no such node.
        }

        Caller caller() {
            return role == null ? Caller.anonymous(server) : Caller.withToken(server, name().toLowerCase(Locale.ROOT));
        }
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void everyOperationHasARouteThatAsksForItsRole(Operation operation) throws Exception {
        for (Asker asker : Asker.values()) {
            try (Caller caller = asker.caller()) {
                HttpResponse<String> answer = call(caller, operation);
                assertThat(answer.statusCode())
                        .describedAs("%s as %s: %s", operation, asker, answer.body())
                        .isEqualTo(asker.status(operation));
                if (answer.statusCode() == 403) {
                    assertThat(problem(answer)).isEqualTo("/problems/forbidden");
                    assertThat(answer.body())
                            .contains(
                                    operation == Operation.REVEAL
                                            ? "payload-read"
                                            : operation.role().name().toLowerCase(Locale.ROOT));
                }
                if (operation == Operation.REVEAL) {
                    assertThat(answer.body().contains("of " + DONE)).isEqualTo(asker == Asker.READER);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Asker.class)
    void whatIsNoOperationIsForEverybodyWhoIsKnown(Asker asker) throws Exception {
        try (Caller caller = asker.caller()) {
            for (String path : new String[] {"/api/sources", "/api/pulse", "/api/openapi.json"}) {
                assertThat(caller.get(path).statusCode())
                        .describedAs("%s as %s", path, asker)
                        .isEqualTo(asker == Asker.ANONYMOUS ? 401 : 200);
            }
        }
    }

    @Test
    void whoMayNotIsToldSoBeforeHisRequestIsRead() throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.setSoTimeout(10_000);
            String head = "POST " + API + "purge HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer viewer\r\n"
                    + "Content-Length: 1000\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII)); // And nothing behind it.
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(answer.readLine()).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void readsNoMoreThanItMay() throws Exception {
        String large = "{\"reason\":\"" + "x".repeat(4 << 20) + "\"}";
        try (Caller admin = Caller.withToken(server, "admin")) {
            HttpResponse<String> answer = admin.post(API + "purge", large);
            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(problem(answer)).isEqualTo("/problems/too-large");
            assertThat(admin.post(API + "purge", "{\"olderThan\":\"P30D\",\"dryRun\":true}")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void saysThatItHasNothingButJson() throws Exception {
        try (Caller viewer = Caller.withToken(server, "viewer")) {
            HttpResponse<String> answer = viewer.get(API + "overview", "Accept", "text/html");

            assertThat(answer.statusCode()).isEqualTo(406);
            assertThat(problem(answer)).isEqualTo("/problems/not-acceptable");
        }
    }

    @Test
    void aViewerCanDoNothing() throws Exception {
        try (Caller viewer = Caller.withToken(server, "viewer")) {
            for (Operation operation : Operation.values()) {
                if (operation.kind() != Operation.Kind.SEE) {
                    assertThat(call(viewer, operation).statusCode())
                            .describedAs("%s", operation)
                            .isEqualTo(403);
                    assertThat(viewer.post(API + operation.id(), "no JSON at all")
                                    .statusCode())
                            .isEqualTo(403);
                }
            }
            assertThat(viewer.get(API + "audit?limit=1000").body()).doesNotContain("token:viewer");
        }
    }

    private static HttpResponse<String> call(Caller caller, Operation operation) throws Exception {
        String path = API + operation.id();
        return switch (operation) {
            case EVENT -> caller.get(path + "?id=" + DONE);
            case KEY -> caller.get(path + "?key=order-1");
            case OVERVIEW, EVENTS, DEAD, NODES, PARTITIONS, DESTINATIONS, ROUTES, PAUSES, AUDIT, DOCTOR ->
                caller.get(path);
            case REVEAL -> caller.post(path, "{\"eventId\":\"" + DONE + "\"}");
            case REPLAY -> caller.post(path, "{\"selection\":{\"ids\":[\"" + DONE + "\"]},\"dryRun\":true}");
            case PAUSE -> caller.post(path, "{\"subject\":{\"kind\":\"key\",\"name\":\"k\"},\"reason\":\"a try\"}");
            case RESUME -> caller.post(path, "{\"subject\":{\"kind\":\"key\",\"name\":\"k\"}}");
            case RESEND ->
                caller.post(
                        path,
                        "{\"from\":\"2020-01-01T00:00:00Z\",\"before\":\"2020-01-02T00:00:00Z\","
                                + "\"destination\":\"archive\",\"dryRun\":true}");
            case EDIT ->
                caller.post(
                        path,
                        "{\"eventId\":\"" + DEAD + "\",\"edit\":{\"headers\":{\"a\":\"b\"}},\"replay\":false,"
                                + "\"reason\":\"a try\",\"confirm\":true}");
            case DISCARD ->
                caller.post(
                        path, "{\"selection\":{\"filter\":{\"state\":\"dead\"}},\"dryRun\":true,\"reason\":\"a try\"}");
            case DRAIN -> caller.post(path, "{\"nodeId\":\"no-such-node\",\"reason\":\"a try\"}");
            case REBALANCE -> caller.post(path, "{}");
            case PURGE -> caller.post(path, "{\"olderThan\":\"P30D\",\"dryRun\":true}");
        };
    }

    // ---- who it was
    // --------------------------------------------------------------------------------------------------

    @Test
    void theAuditHasTheNameOfWhoDidIt() throws Exception {
        String body = "{\"subject\":{\"kind\":\"key\",\"name\":\"audited\"},\"reason\":\"to see who\"}";
        try (Caller program = Caller.withToken(server, "operator");
                Caller person = Caller.loggedIn(server, "operator", "operator")) {
            assertThat(program.post(API + "pause", body).statusCode()).isEqualTo(200);
            String csrf = person.csrf("/audit?source=orders");
            String resume = "{\"subject\":{\"kind\":\"key\",\"name\":\"audited\"}}";
            assertThat(person.post(API + "resume", resume, "X-CSRF-TOKEN", csrf).statusCode())
                    .isEqualTo(200);

            assertThat(JSON.readTree(program.get(API + "audit").body()))
                    .extracting(entry -> entry.get("who").stringValue())
                    .contains("token:operator", "operator");
        }
    }

    @Test
    void aSessionNeedsTheCsrfTokenAndAProgramDoesNot() throws Exception {
        try (Caller person = Caller.loggedIn(server, "admin", "admin")) {
            HttpResponse<String> forged = person.post(API + "rebalance", "{}");
            assertThat(forged.statusCode()).isEqualTo(403);
            assertThat(forged.body()).contains("X-CSRF-TOKEN");
            assertThat(person.get(API + "overview").statusCode()).isEqualTo(200);
        }
    }

    // ---- what is answered
    // --------------------------------------------------------------------------------------------

    @Test
    void pagesThroughEventsByCursor() throws Exception {
        try (Caller viewer = Caller.withToken(server, "viewer")) {
            JsonNode first =
                    JSON.readTree(viewer.get(API + "events?state=done&limit=1").body());
            JsonNode second = JSON.readTree(viewer.get(API + "events?state=done&limit=1&after="
                            + first.get("next").stringValue())
                    .body());

            assertThat(Stream.of(first, second)
                            .map(page -> page.at("/events/0/eventId").stringValue()))
                    .containsExactlyInAnyOrder(DONE, "01DONE00000000000000000002");
            assertThat(first.at("/events/0/state/status").stringValue()).isEqualTo("done");
            assertThat(Instant.parse(first.at("/events/0/state/doneAt").stringValue()))
                    .isAfter(Instant.now().minus(1, ChronoUnit.HOURS));
            assertThat(first.at("/events/0").has("tenantId")).isFalse();
            assertThat(first.toString()).doesNotContain("secret");
        }
    }

    @Test
    void saysWhereAnEventWentAndWhichWayAnotherWouldGo() throws Exception {
        try (Caller viewer = Caller.withToken(server, "viewer")) {
            JsonNode event = JSON.readTree(viewer.get(API + "event?id=" + DONE).body());
            assertThat(event.at("/arrival/destination").stringValue()).isEqualTo("archive");
            assertThat(event.at("/arrival/nodeId").stringValue()).isEqualTo("node-1");

            JsonNode routes = JSON.readTree(
                    viewer.get(API + "routes?type=FailOver&header=a=b").body());
            assertThat(routes.at("/0/taken").booleanValue()).isTrue();
            assertThat(routes.at("/0/addresses/0").stringValue()).isEqualTo("nowhere/FailOver");
            assertThat(routes.at("/1/taken").booleanValue()).isFalse();

            JsonNode destinations =
                    JSON.readTree(viewer.get(API + "destinations").body());
            assertThat(destinations)
                    .extracting(each -> each.get("name").stringValue() + " "
                            + each.get("kind").stringValue())
                    .containsExactlyInAnyOrder("archive file", "nowhere http");
        }
    }

    @Test
    void sendsDoneEventsAgain() throws Exception {
        long before = written(DONE);
        try (Caller operator = Caller.withToken(server, "operator")) {
            Instant now = Instant.now();
            HttpResponse<String> answer = operator.post(
                    API + "resend",
                    "{\"from\":\"%s\",\"before\":\"%s\",\"eventType\":\"Placed\",\"destination\":\"archive\"}"
                            .formatted(now.minus(1, ChronoUnit.HOURS), now.plus(1, ChronoUnit.HOURS)));
            assertThat(answer.statusCode()).describedAs(answer.body()).isEqualTo(200);
            assertThat(JSON.readTree(answer.body()).get("changed").intValue()).isEqualTo(2);
        }
        assertThat(written(DONE)).isEqualTo(before + 1);
    }

    private static long written(String eventId) throws Exception {
        return Files.readAllLines(folder.resolve("archive")).stream()
                .filter(line -> line.contains(eventId))
                .count();
    }

    @Test
    void whatDestroysHasToBeConfirmed() throws Exception {
        String discard = "{\"selection\":{\"ids\":[\"" + DEAD + "\"]},\"reason\":\"a try\"}";
        try (Caller admin = Caller.withToken(server, "admin")) {
            HttpResponse<String> answer = admin.post(API + "discard", discard);

            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(problem(answer)).isEqualTo("/problems/confirm-needed");
            assertThat(JSON.readTree(answer.body()).get("count").intValue()).isEqualTo(1);
            assertThat(table.count(3)).isEqualTo(1);
            String edit = "{\"eventId\":\"%s\",\"edit\":{\"payloadJson\":\"{}\"},\"replay\":false,\"reason\":\"a\"}";
            assertThat(admin.post(API + "edit", edit.formatted(DEAD)).statusCode())
                    .isEqualTo(409);
            assertThat(admin.post(API + "edit", edit.formatted("none")).statusCode())
                    .isEqualTo(404);
            assertThat(admin.post(API + "purge", "{\"olderThan\":\"PT0S\",\"confirm\":\"yes\"}")
                            .statusCode())
                    .isEqualTo(409);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET|/api/sources/none/overview||404|not-found|there is no source none, the sources are [orders]",
                "GET|/api/sources/orders/explode||404|not-found|there is no operation",
                "GET|/api/sources/orders/holds||404|not-found|the operation \"holds\" is now called \"pauses\"",
                "GET|/api/sources/orders/event?id=none||404|not-found|none",
                "GET|/api/sources/orders/event||400|bad-request|the parameter id is missing",
                "GET|/api/sources/orders/events?stat=dead||400|bad-request|unknown parameters [stat]",
                "GET|/api/sources/orders/events?state=gone||400|bad-request|pending, retry, done or dead",
                "GET|/api/sources/orders/events?limit=0||400|bad-request|limit must be from 1 to",
                "GET|/api/sources/orders/events?from=today||400|bad-request|from must be an instant such as",
                "GET|/api/sources/orders/replay||405|method-not-allowed|GET",
                "POST|/api/sources/orders/overview|{}|405|method-not-allowed|POST",
                "POST|/api/sources/orders/replay|{|400|bad-request|the body is not JSON",
                "POST|/api/sources/orders/replay|[]|400|bad-request|must be a JSON object",
                "POST|/api/sources/orders/replay|{}|400|bad-request|selection is missing",
                "POST|/api/sources/orders/replay|{\"selection\":{}}|400|bad-request|either ids or filter",
                "POST|/api/sources/orders/replay|{\"selection\":{\"ids\":[]}}|400|bad-request|1 to 1000 event ids",
                "POST|/api/sources/orders/pause|{\"subject\":{\"kind\":\"key\"},\"reason\":\"x\"}|400|bad-request|subject.name is missing",
                "POST|/api/sources/orders/pause|{\"subject\":{\"kind\":\"moon\",\"name\":\"x\"},\"reason\":\"x\"}|400|bad-request|moon",
                "POST|/api/sources/orders/pause|{\"subject\":{\"kind\":\"source\",\"name\":\"\"},\"reason\":\" \"}|400|bad-request|needs a reason",
                "POST|/api/sources/orders/pause|{\"subject\":{\"kind\":\"key\",\"name\":\"x\"},\"raeson\":\"x\",\"reason\":\"x\"}|400|bad-request|raeson",
                "POST|/api/sources/orders/replay|{\"selection\":{\"filter\":{}}}|422|not-possible|state"
            })
    void saysWhatIsWrong(String method, String path, String body, int status, String code, String detail)
            throws Exception {
        try (Caller admin = Caller.withToken(server, "admin")) {
            HttpResponse<String> answer = method.equals("GET") ? admin.get(path) : admin.post(path, body);

            assertThat(answer.statusCode()).describedAs(answer.body()).isEqualTo(status);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(problem(answer)).isEqualTo("/problems/" + code);
            assertThat(JSON.readTree(answer.body()).get("detail").stringValue()).contains(detail);
        }
    }

    @Test
    void streamsPulsesAndRemembersThem() throws Exception {
        try (Caller viewer = Caller.withToken(server, "viewer")) {
            HttpResponse<Stream<String>> stream = viewer.open("/api/stream", HttpResponse.BodyHandlers.ofLines());
            assertThat(stream.statusCode()).isEqualTo(200);
            assertThat(stream.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
            List<String> lines;
            try (Stream<String> all = stream.body()) {
                lines = all.filter(line -> !line.isEmpty() && !line.startsWith(":"))
                        .limit(5)
                        .toList();
            }

            assertThat(lines).startsWith("retry:1000", "event:pulse");
            JsonNode pulse = JSON.readTree(lines.get(4).substring("data:".length()));
            assertThat(pulse.get("source").stringValue()).isEqualTo("orders");
            assertThat(pulse.has("deliveredPerSecond")).isTrue();
            JsonNode history = JSON.readTree(viewer.get("/api/pulse").body());
            assertThat(history.get("orders")).isNotEmpty();
        }
    }

    @Test
    void keepsStreamsForOthersWhenOneUserOpensAllThatHeMay() throws Exception {
        List<InputStream> open = new ArrayList<>();
        try (Caller greedy = Caller.withToken(server, "viewer");
                Caller other = Caller.withToken(server, "operator")) {
            try {
                for (int n = 0; n < 10; n++) {
                    HttpResponse<InputStream> stream =
                            greedy.open("/api/stream", HttpResponse.BodyHandlers.ofInputStream());
                    assertThat(stream.statusCode()).isEqualTo(200);
                    open.add(stream.body());
                }
                HttpResponse<String> refused = greedy.get("/api/stream");
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(problem(refused)).isEqualTo("/problems/too-many-streams");
                assertThat(refused.body()).contains("one user may have 10 streams", "token:viewer", "/api/pulse");

                HttpResponse<InputStream> stream = other.open("/api/stream", HttpResponse.BodyHandlers.ofInputStream());
                open.add(stream.body());
                assertThat(stream.statusCode()).isEqualTo(200);
            } finally {
                for (InputStream each : open) {
                    each.close();
                }
            }
        }
        // Places are free again once the server has noticed.
        try (Caller again = Caller.withToken(server, "viewer")) {
            Eventually.happens("there is a place", () -> {
                HttpResponse<InputStream> stream = again.open("/api/stream", HttpResponse.BodyHandlers.ofInputStream());
                stream.body().close();
                return stream.statusCode() == 200;
            });
        }
    }

    @Test
    void describesItself() throws Exception {
        try (Caller viewer = Caller.withToken(server, "viewer")) {
            JsonNode document = JSON.readTree(viewer.get("/api/openapi.json").body());

            assertThat(document.get("openapi").stringValue()).isEqualTo("3.1.0");
            assertThat(document.at("/paths").propertyNames()).hasSize(Operation.values().length + 3);
        }
    }

    private static String problem(HttpResponse<String> answer) {
        return JSON.readValue(answer.body(), Map.class).get("type").toString();
    }
}
