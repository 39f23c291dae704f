package catbox.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.cli.connection.TargetException.Kind;
import catbox.cli.output.Json;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.RouteView;
import outbox.spi.Secret;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause;

/** What is asked of a server, and how its answers are understood. */
class HttpOperationsTest {

    private static final String DONE =
            "{\"changed\":3,\"more\":true,\"dryRun\":false,\"next\":\"E3\",\"pausedKeys\":[],\"message\":\"3 done\"}";

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int status = 200;
    private volatile String type = "application/json";
    private volatile String answer = "{}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add((exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                        + String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")) + " " + body)
                .strip());
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Target.Server place(String source) {
        return new Target.Server(
                URI.create("http://localhost:" + server.getAddress().getPort()),
                Optional.of(new Secret("T")),
                Optional.ofNullable(source));
    }

    private OutboxAdmin admin() {
        return new Targets("anna").admin(place("my orders"));
    }

    private void answers(String json) {
        answer = json;
    }

    private void fails(int code, String detail) {
        status = code;
        type = "application/problem+json";
        answer = Json.MAPPER.writeValueAsString(
                Map.of("type", "/problems/x", "title", "Title", "detail", detail, "status", code));
    }

    @Test
    void asksForEventsByEverythingThatAFilterHas() {
        answers("{\"events\":[],\"next\":\"c\",\"cut\":true}");
        EventFilter filter = new EventFilter(
                State.DEAD, "A&B", "k", "7", "acme", "HTTP *", Instant.EPOCH, Instant.EPOCH.plusSeconds(1));

        assertThat(admin().run(new Request.Events(new EventQuery(filter, "c0", 20)))
                        .next())
                .isEqualTo("c");

        assertThat(requests)
                .containsExactly("GET /api/sources/my%20orders/events?state=dead&type=A%26B&key=k&aggregate=7"
                        + "&tenant=acme&error=HTTP+*&from=1970-01-01T00%3A00%3A00Z&before=1970-01-01T00%3A00%3A01Z"
                        + "&after=c0&limit=20 Bearer T");
    }

    @Test
    void readsWhatIsLeftOutAsNothing() {
        answers("""
                {"pending":{"counted":1,"more":false},"oldestPendingAge":"PT30S","dead":{"counted":0,"more":false},
                 "latencies":[],"nodes":1,"partitions":6,"partitionsWithoutOwner":0,"newer":"than this",
                 "pauses":[{"subject":{"kind":"key","name":"k"},"reason":"r","by":"b","since":"2026-01-01T00:00:00Z"}]}
                """);

        var overview = admin().run(new Request.Overview());

        assertThat(overview.oldestPendingAge()).isEqualTo(Duration.ofSeconds(30));
        assertThat(overview.pauses())
                .singleElement()
                .extracting(Pause::subject)
                .isEqualTo(new Pause.Subject(Pause.Kind.KEY, "k"));
        answers("{\"key\":\"k\",\"pending\":[],\"more\":false,\"dead\":[],\"reasons\":[]}");
        assertThat(admin().run(new Request.Key("k")).owner()).isNull();
    }

    @Test
    void asksForTheOthersByTheirNames() {
        answers("[]");
        admin().run(new Request.Audit(new AuditQuery(9L, 5)));
        admin().run(new Request.Routes(new RouteView.Sample("T", "Order", null, null, Map.of("b", "2", "a", "1=1"))));
        admin().run(new Request.Dead());

        assertThat(requests)
                .containsExactly(
                        "GET /api/sources/my%20orders/audit?before=9&limit=5 Bearer T",
                        "GET /api/sources/my%20orders/routes?type=T&aggregate-type=Order&header=a%3D1%3D1&header=b%3D2"
                                + " Bearer T",
                        "GET /api/sources/my%20orders/dead Bearer T");
    }

    @Test
    void doesWithTheRequestAsItsBody() {
        answers(DONE);
        OutboxAdmin admin = admin();
        Selection ids = new Selection.Ids(List.of("A"));

        assertThat(admin.run(new Request.Replay(ids, true, null, "E2")).next()).isEqualTo("E3");
        admin.run(new Request.Discard(new Selection.Matching(EventFilter.ALL.withState(State.DEAD)), false, "old"));
        admin.run(new Request.Edit("A", new EventEdit("{}", null), true, "typo"));
        admin.run(new Request.Purge(Duration.ofDays(1), false));
        admin.run(new Request.Pause(new Pause.Subject(Pause.Kind.SOURCE, ""), "look"));
        admin.run(new Request.Resume(new Pause.Subject(Pause.Kind.KEY, "k")));
        admin.run(new Request.Rebalance(null));
        admin.run(new Request.Rebalance(12));
        admin.run(new Request.Drain("n", "update"));
        admin.run(new Request.Resend(Instant.EPOCH, Instant.EPOCH.plusSeconds(1), null, "archive", "E1", false));

        assertThat(requests.stream()
                        .map(request -> request.replace("POST /api/sources/my%20orders/", "")
                                .replace(" Bearer T", ""))
                        .toList())
                .containsExactly(
                        "replay {\"selection\":{\"ids\":[\"A\"]},\"dryRun\":true,\"after\":\"E2\"}",
                        "discard {\"selection\":{\"filter\":{\"state\":\"dead\"}},\"dryRun\":false,\"reason\":\"old\","
                                + "\"confirm\":true}",
                        "edit {\"eventId\":\"A\",\"edit\":{\"payloadJson\":\"{}\"},\"replay\":true,\"reason\":\"typo\","
                                + "\"confirm\":true}",
                        "purge {\"olderThan\":\"PT24H\",\"dryRun\":false,\"confirm\":true}",
                        "pause {\"subject\":{\"kind\":\"source\",\"name\":\"\"},\"reason\":\"look\"}",
                        "resume {\"subject\":{\"kind\":\"key\",\"name\":\"k\"}}",
                        "rebalance {}",
                        "rebalance {\"partitions\":12}",
                        "drain {\"nodeId\":\"n\",\"reason\":\"update\"}",
                        "resend {\"from\":\"1970-01-01T00:00:00Z\",\"before\":\"1970-01-01T00:00:01Z\","
                                + "\"destination\":\"archive\",\"after\":\"E1\",\"dryRun\":false}");
    }

    @Test
    void takesTheOnlySource() {
        answers("[{\"name\":\"orders\",\"state\":\"connected\"}]");

        new Targets("anna").admin(place(null));

        assertThat(requests).containsExactly("GET /api/sources Bearer T");
    }

    @Test
    void listsSeveralSourcesForThePersonToChoose() {
        answers("[{\"name\":\"orders\",\"state\":\"connected\"},{\"name\":\"billing\",\"state\":\"stopped\"}]");

        assertThatThrownBy(() -> new Targets("anna").admin(place(null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--source")
                .hasMessageContaining("orders (connected), billing (stopped)");
    }

    @ParameterizedTest
    @CsvSource({"403, REFUSED", "422, NOT_POSSIBLE", "503, UNREACHABLE", "500, NOT_POSSIBLE"})
    void aProblemIsItsSentence(int code, Kind kind) {
        fails(code, "it needs the role operator");

        assertThatThrownBy(() -> admin().run(new Request.Overview()))
                .isInstanceOfSatisfying(
                        TargetException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining("it needs the role operator");
    }

    @Test
    void aSourceThatIsNotConnectedIsWhatTheDoctorFinds() {
        fails(503, "orders refuses the user");
        answer = answer.replace("/problems/x", "/problems/source-not-connected");

        assertThat(admin().run(new Request.Doctor())).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("source-not-connected");
            assertThat(finding.evidence()).isEqualTo("orders refuses the user");
        });
        assertThatThrownBy(() -> admin().run(new Request.Overview()))
                .isInstanceOfSatisfying(
                        TargetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_CONNECTED));
    }

    @Test
    void missingAndInvalidThingsFailAsTheyDoNextToTheStore() {
        fails(404, "there is no event X");
        assertThatThrownBy(() -> admin().run(new Request.Event("X")))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("there is no event X");
        fails(400, "limit must be from 1");
        assertThatThrownBy(() -> admin().run(new Request.Event("X")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must be from 1");
    }

    @Test
    void aTokenThatIsMissingOrWrongIsRefused() {
        fails(401, "unauthorized");
        assertThatThrownBy(() -> admin().run(new Request.Overview()))
                .hasMessage("the server does not accept this token");

        Target.Server anonymous = new Target.Server(place(null).url(), Optional.empty(), Optional.of("orders"));
        assertThatThrownBy(() -> new Targets("anna").admin(anonymous).run(new Request.Overview()))
                .isInstanceOfSatisfying(
                        TargetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REFUSED))
                .hasMessageContaining("CATBOX_TOKEN");
    }

    @Test
    void anotherProgramAtTheAddressIsNoServer() {
        type = "text/html";
        answer = "<html>";
        assertThatThrownBy(() -> admin().run(new Request.Overview())).hasMessageContaining("is it a catbox server?");
        status = 404;
        assertThatThrownBy(() -> admin().run(new Request.Overview()))
                .isInstanceOfSatisfying(
                        TargetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessageContaining("answers with status 404; is it a catbox server?");
        server.stop(0);
        assertThatThrownBy(() -> admin().run(new Request.Overview()))
                .hasMessageContaining("cannot be reached; check that it runs and that the address is right");
    }
}
