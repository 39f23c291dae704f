package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.TimeSource;

/** Checks the errors of requests without a response. */
@Timeout(60)
class HttpFailureIT {

    private static HttpDestination to(String url, String... more) {
        List<String> all = new ArrayList<>(List.of("base-url", url, "allow-private-addresses", "true"));
        all.addAll(List.of(more));
        return new HttpDestination("test", HttpConfig.from(Attempts.settings(all.toArray(String[]::new))));
    }

    @Test
    void aRefusedConnectionIsNamed() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        try (HttpDestination destination = to("http://127.0.0.1:" + port)) {
            assertThat(Attempts.of(destination, Attempts.json("1")))
                    .isEqualTo(new Outcome.Unavailable(
                            "http://127.0.0.1:" + port + "/api/events/batch: the connection was refused",
                            Scope.DESTINATION));
        }
    }

    @Test
    void anUnknownHostIsNamed() throws Exception {
        try (HttpDestination direct = to("http://nowhere.outbox.invalid");
                HttpDestination checked = unknown("http://nowhere.outbox.invalid");
                HttpDestination tunnelled = unknown("https://nowhere.outbox.invalid")) {
            for (HttpDestination destination : List.of(direct, checked, tunnelled)) {
                Outcome outcome = Attempts.of(destination, Attempts.json("1"));
                assertThat(Attempts.kind(outcome)).isEqualTo("DESTINATION");
                assertThat(Attempts.error(outcome)).contains("nowhere.outbox.invalid", "the host is unknown");
            }
        }
    }

    private static HttpDestination unknown(String url) {
        AddressGuard.Resolver unknownHost = host -> {
            throw new UnknownHostException(host);
        };
        return new HttpDestination(
                "test",
                HttpConfig.from(Attempts.settings("base-url", url)),
                new HttpContext(TimeSource.SYSTEM, unknownHost, null));
    }

    @Test
    void plainTextInsteadOfTlsIsNamed() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                HttpDestination destination = to("https://127.0.0.1:" + server.getLocalPort())) {
            CompletableFuture<Socket> accepted = answering(server, "HTTP/1.1 400 Bad Request\r\n\r\n");
            Outcome outcome = Attempts.of(destination, Attempts.json("1"));
            assertThat(Attempts.kind(outcome))
                    .isEqualTo("Unanswered"); // The client does not report that nothing was sent.
            assertThat(Attempts.error(outcome)).contains("TLS failed");
            accepted.get().close();
        }
    }

    /** The event may be the cause. */
    @Test
    void tlsErrorAfterTheRequestWasSentDoesNotBlameTheDestination(@TempDir Path folder) throws Exception {
        TestTls tls = new TestTls(folder, "ip:127.0.0.1");
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                HttpDestination destination = new HttpDestination(
                        "test",
                        HttpConfig.from(Attempts.settings(
                                "base-url",
                                "https://127.0.0.1:" + server.getLocalPort(),
                                "allow-private-addresses",
                                "true")),
                        new HttpContext(TimeSource.SYSTEM, InetAddress::getAllByName, tls.client()))) {
            CompletableFuture<Socket> accepted = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    Socket plain = server.accept();
                    SSLSocket secured =
                            (SSLSocket) tls.server().getSocketFactory().createSocket(plain, null, false);
                    secured.getInputStream().read(new byte[4096]);
                    plain.getOutputStream().write("no TLS any more".getBytes(StandardCharsets.US_ASCII));
                    accepted.complete(plain);
                } catch (IOException e) {
                    accepted.completeExceptionally(e);
                }
            });

            Outcome outcome = Attempts.of(destination, Attempts.json("1"));

            assertThat(Attempts.kind(outcome)).isEqualTo("Unanswered");
            assertThat(Attempts.error(outcome)).contains("TLS failed");
            accepted.get().close();
        }
    }

    @Test
    void aSilentServerEndsWithTheRequestTimeout() throws Exception {
        try (TestApi api = new TestApi();
                HttpDestination destination = to(api.url(), "request-timeout", "2s")) {
            api.freeze();
            Outcome outcome = Attempts.of(destination, Attempts.json("1"));
            assertThat(Attempts.kind(outcome)).isEqualTo("Unanswered");
            assertThat(Attempts.error(outcome)).contains("no response within the request timeout");
        }
    }

    /** The client's own timeout ends with the head of the response, so a body that never ends has to be bounded too. */
    @Test
    void requestTimeoutEndsAnEndlessResponse() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Socket> accepted = answering(server, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            try (HttpDestination destination =
                    to("http://127.0.0.1:" + server.getLocalPort(), "request-timeout", "2s")) {
                long start = System.nanoTime();
                Outcome outcome = Attempts.of(destination, Attempts.json("1"));
                assertThat(Attempts.kind(outcome)).isEqualTo("Unanswered");
                assertThat(Attempts.error(outcome)).contains("no response within the request timeout");
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            }
            accepted.get().close();
        }
    }

    @Test
    void aConnectionThatEndsEarlyIsRetried() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Socket> accepted = answering(server, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            try (HttpDestination destination = to("http://127.0.0.1:" + server.getLocalPort())) {
                CompletableFuture<Outcome> outcome = new CompletableFuture<>();
                destination.deliver(List.of(Attempts.json("1")), (index, reported) -> outcome.complete(reported));
                accepted.get().close();

                assertThat(Attempts.kind(outcome.get())).isEqualTo("Unanswered");
                assertThat(Attempts.error(outcome.get())).contains("the request failed");
            }
        }
    }

    /** Accepts one connection, reads a little and sends this answer. */
    private static CompletableFuture<Socket> answering(ServerSocket server, String answer) {
        CompletableFuture<Socket> accepted = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                Socket socket = server.accept();
                socket.getInputStream().read(new byte[4096]);
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                accepted.complete(socket);
            } catch (IOException e) {
                accepted.completeExceptionally(e);
            }
        });
        return accepted;
    }

    @Test
    void connectTimeoutEndsAConnectionThatIsNotAccepted() throws Exception {
        // A listener whose backlog is full accepts no more connections.
        try (ServerSocket full = new ServerSocket()) {
            full.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
            List<Socket> waiting = new ArrayList<>();
            for (int n = 0; n < 8; n++) {
                Socket socket = new Socket();
                waiting.add(socket);
                try {
                    socket.connect(full.getLocalSocketAddress(), 200);
                } catch (IOException e) {
                    break;
                }
            }
            try (HttpDestination destination =
                    to("http://127.0.0.1:" + full.getLocalPort(), "connect-timeout", "300ms")) {
                Outcome outcome = Attempts.of(destination, Attempts.json("1"));
                assertThat(Attempts.kind(outcome)).isEqualTo("DESTINATION");
                assertThat(Attempts.error(outcome)).contains("no connection within the connect timeout");
            }
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    @Test
    @SuppressWarnings("try")
    void closingEndsRequestsInFlightAtOnce() throws Exception {
        try (TestApi api = new TestApi();
                HttpDestination destination = to(api.url())) {
            api.freeze();
            CompletableFuture<Outcome> outcome = new CompletableFuture<>();
            destination.deliver(List.of(Attempts.json("1")), (index, reported) -> outcome.complete(reported));
            destination.close();

            assertThat(outcome)
                    .isCompletedWithValue(
                            Outcome.Retryable.unanswered("the destination was closed before the server responded"));
            assertThat(Attempts.of(destination, Attempts.json("2")))
                    .isEqualTo(new Outcome.Unavailable("the destination is closed", Scope.CALL));
        }
    }
}
