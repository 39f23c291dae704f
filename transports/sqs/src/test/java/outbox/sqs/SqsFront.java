package outbox.sqs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/**
 * Proxies the server and adds faults: it refuses credentials, freezes, disappears and returns on the same port with all
 * messages, and sends prepared responses.
 */
final class SqsFront implements AutoCloseable {

    private static final int OK = 200;
    static final String ACCESS_KEY = "AKIDEXAMPLE";

    /**
     * A response for the next request of an operation.
     *
     * @param json changes the server's response; the server gets no request when the status is not 200
     */
    record Answer(String operation, int status, UnaryOperator<String> json) {}

    private final HttpClient client = HttpClient.newHttpClient();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<String> operations = new CopyOnWriteArrayList<>();
    private final Set<Integer> clientPorts = ConcurrentHashMap.newKeySet();
    private final int port;
    private volatile CountDownLatch frozen = new CountDownLatch(0);
    private HttpServer server;

    SqsFront() {
        server = listen(0);
        port = server.getAddress().getPort();
    }

    private HttpServer listen(int atPort) {
        try {
            HttpServer listening = HttpServer.create(
                    new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), atPort), 0);
            listening.createContext("/", this::handle);
            listening.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            listening.start();
            return listening;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    void stop() {
        server.stop(0);
    }

    void start() {
        server = listen(port);
    }

    void freeze() {
        frozen = new CountDownLatch(1);
    }

    void thaw() {
        frozen.countDown();
    }

    /** Sends this response instead of the server's. */
    void answer(String operation, int status, String json) {
        answers.add(new Answer(operation, status, answer -> json));
    }

    /** Changes the server's response. */
    void edit(String operation, UnaryOperator<String> change) {
        answers.add(new Answer(operation, OK, change));
    }

    /** Returns the operations that were requested so far. */
    List<String> operations() {
        return operations;
    }

    /** Returns how many connections requests have used. */
    int connections() {
        return clientPorts.size();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] request = exchange.getRequestBody().readAllBytes();
            String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
            String operation = target.substring(target.indexOf('.') + 1);
            operations.add(operation);
            clientPorts.add(exchange.getRemoteAddress().getPort());
            frozen.await();
            Answer answer = answers.peek();
            if (!isKnown(exchange)) {
                // As detailed as possible: none of it may appear in an error.
                refuse(
                        exchange,
                        403,
                        "InvalidClientTokenId",
                        exchange.getRequestHeaders().getFirst("Authorization"));
            } else if (answer != null && answer.operation().equals(operation)) {
                answers.remove();
                String original = answer.status() == OK
                        ? forward(exchange, target, request).body()
                        : "";
                send(exchange, answer.status(), answer.json().apply(original));
            } else {
                HttpResponse<String> response = forward(exchange, target, request);
                send(exchange, response.statusCode(), response.body());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isKnown(HttpExchange exchange) {
        return String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
                .contains("Credential=" + ACCESS_KEY + "/");
    }

    private static void refuse(HttpExchange exchange, int status, String code, String message) throws IOException {
        send(exchange, status, "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"" + message + "\"}");
    }

    private HttpResponse<String> forward(HttpExchange exchange, String target, byte[] request)
            throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(ElasticMq.ADDRESS)
                        .header("X-Amz-Target", target)
                        .header("Content-Type", exchange.getRequestHeaders().getFirst("Content-Type"))
                        .header("Authorization", exchange.getRequestHeaders().getFirst("Authorization"))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        response.headers()
                .firstValue("x-amzn-query-error")
                .ifPresent(value -> exchange.getResponseHeaders().add("x-amzn-query-error", value));
        return response;
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        thaw();
        server.stop(0);
        client.shutdownNow();
    }
}
