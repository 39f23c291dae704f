package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.testkit.Stopwatch;

/** Clients that send their bodies slowly delay no other client, and are disconnected. */
class SlowClientsIT {

    private static final int CLIENTS = 1_000;
    private static final Duration PROMPT = Duration.ofSeconds(1);

    /** For a person, on a busy machine. */
    private static final Duration USABLE = Duration.ofSeconds(5);

    @TempDir
    Path folder;

    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        server = TestServer.start(folder, """
                server: { port: 0 }
                sources:
                  orders: { url: 'jdbc:h2:mem:slow;DB_CLOSE_DELAY=-1', user: sa, schema: install }
                destinations:
                  archive: { kind: file, path: %s }
                %s
                """.formatted(folder.resolve("out"), TestAccess.yaml()));
        server.awaitReady();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void answersOthersPromptlyDuringAThousandSlowRequests() throws Exception {
        try (SlowClients slow = new SlowClients(
                        server.address(),
                        CLIENTS,
                        List.of(
                                "POST /login",
                                "GET /actuator/health",
                                "POST /api/sources/orders/replay",
                                "POST /logout"));
                HttpClient probe = HttpClient.newHttpClient();
                Caller operator = Caller.withToken(server, "operator")) {
            // The first requests of a process load its classes, and here a thousand come at once.
            try (Caller person = Caller.anonymous(server)) {
                assertThat(person.login("viewer", "viewer").statusCode()).isEqualTo(302);
            }
            // Until each has been cut off about twice: nothing adds up.
            for (int round = 1; slow.cutOff() < 2 * CLIENTS; round++) {
                assertPrompt("liveness, round " + round, PROMPT, () -> server.get("/actuator/health/liveness"), 200);
                assertPrompt("liveness of its own, round " + round, PROMPT, () -> liveness(probe), 200);
                assertPrompt("readiness, round " + round, PROMPT, () -> server.get("/actuator/health/readiness"), 200);
                assertPrompt("a list", USABLE, () -> operator.get("/api/sources/orders/events"), 200);
                assertPrompt("an operation", USABLE, () -> operator.post("/api/sources/orders/pause", "{}"), 400);
                try (Caller person = Caller.anonymous(server)) {
                    assertPrompt("a login", USABLE, () -> person.login("viewer", "viewer"), 302);
                }
            }
        }
    }

    private HttpResponse<String> liveness(HttpClient client) throws IOException, InterruptedException {
        URI own = URI.create("http://127.0.0.1:" + server.livenessPort() + "/actuator/health/liveness");
        return client.send(HttpRequest.newBuilder(own).build(), HttpResponse.BodyHandlers.ofString());
    }

    private interface Question {
        HttpResponse<String> ask() throws Exception;
    }

    private static void assertPrompt(String what, Duration atMost, Question question, int status) throws Exception {
        Stopwatch.Lap<HttpResponse<String>> asked = Stopwatch.lap(question::ask);
        assertThat(asked.answer().statusCode())
                .describedAs("%s: %s", what, asked.answer().body())
                .isEqualTo(status);
        assertThat(asked.took()).describedAs(what).isLessThan(atMost);
    }

    @Test
    void refusesABodyThatIsNotTakenBeforeItIsSent() throws Exception {
        for (String request : List.of("GET /actuator/health", "POST /actuator/health", "POST /reload", "GET /login")) {
            assertThat(announced(request, 10_000)).describedAs(request).startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void refusesAnAnonymousBodyThatIsTooLarge() throws Exception {
        try (Caller anonymous = Caller.anonymous(server)) {
            HttpResponse<String> answer =
                    anonymous.form("/login", Map.of("username", "a".repeat(100_000), "password", "p", "_csrf", "c"));
            assertThat(answer.statusCode()).isEqualTo(413);
        }
    }

    /** Tomcat would make room for all that is announced, before any of it has come. */
    @Test
    void refusesALargeFormOfAnUnknownSenderBeforeItIsSent() throws Exception {
        for (String header :
                List.of("X-Other: none", "Authorization: Bearer unknown", "Cookie: catbox-session=unknown")) {
            assertThat(announced("POST /login", 2_000_000, header))
                    .describedAs(header)
                    .startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void takesALargeFormOfAPersonWhoIsLoggedIn() throws Exception {
        try (Caller operator = Caller.loggedIn(server, "operator", "operator")) {
            String token = operator.csrf("/");
            HttpResponse<String> answer =
                    operator.form("/do/nothing", Map.of("payload", "a".repeat(3_000_000), "_csrf", token));
            assertThat(answer.statusCode()).describedAs(answer.body()).isEqualTo(404);
        }
    }

    @Test
    void endsConnectionsThatSendNothing() throws Exception {
        for (int port : new int[] {server.address().getPort(), server.livenessPort()}) {
            try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port)) {
                silent.setSoTimeout(15_000);
                assertThat(silent.getInputStream().read())
                        .describedAs("port %s", port)
                        .isEqualTo(-1);
            }
        }
    }

    /** Each byte comes soon after the last one, so only a limit for all of them ends this. */
    @Test
    void endsConnectionsWhoseHeadersDoNotComeToAnEnd() throws Exception {
        for (int port : new int[] {server.address().getPort(), server.livenessPort()}) {
            try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
                slow.setSoTimeout(200);
                slow.getOutputStream()
                        .write("GET /actuator/health/liveness HTTP/1.1\r\nX-Slow: "
                                .getBytes(StandardCharsets.US_ASCII));
                long from = System.nanoTime();
                while (!hasEnded(slow)) {
                    assertThat(Duration.ofNanos(System.nanoTime() - from))
                            .describedAs("port %s", port)
                            .isLessThan(Duration.ofSeconds(15));
                }
            }
        }
    }

    /** Sends a byte more, and waits a moment for the end. */
    private static boolean hasEnded(Socket slow) {
        try {
            slow.getOutputStream().write('a');
            return slow.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // Cut off in the middle of a byte.
        }
    }

    @Test
    void answersSoonAlthoughMoreConnectionsSendNothingThanItTakes() throws Exception {
        List<SocketChannel> silent = new ArrayList<>();
        try (HttpClient probe = HttpClient.newHttpClient()) {
            for (int n = 0; n < 2_050; n++) {
                silent.add(SocketChannel.open(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), server.address().getPort())));
            }
            assertPrompt("liveness of its own", PROMPT, () -> liveness(probe), 200);
            assertPrompt("liveness", Duration.ofSeconds(15), () -> server.get("/actuator/health/liveness"), 200);
        } finally {
            for (SocketChannel each : silent) {
                each.close();
            }
        }
    }

    @Test
    void endsALoginThatDoesNotComeToAnEnd() throws Exception {
        long from = System.nanoTime();
        assertThat(announced("POST /login", 100)).startsWith("HTTP/1.1 400");
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(15));
    }

    /** All that is answered to a request whose body never comes. */
    private String announced(String request, int bytes) throws IOException {
        return announced(request, bytes, "X-Other: none");
    }

    private String announced(String request, int bytes, String header) throws IOException {
        URI address = server.address();
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(30_000);
            String head = request + " HTTP/1.1\r\nHost: catbox\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                    + "Content-Length: " + bytes + "\r\n" + header + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
