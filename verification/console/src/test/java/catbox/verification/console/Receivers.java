package catbox.verification.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where events are delivered to: an invoicing service that refuses, for good, what a payload asks it to refuse, and a
 * warehouse that is closed for those who ask for it. Both can be talked into taking it all the same.
 */
final class Receivers implements AutoCloseable {

    private static final Pattern REFUSE = Pattern.compile("\"refuse\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern CLOSED = Pattern.compile("\"closed\"\\s*:\\s*\"([^\"]+)\"");

    private final HttpServer server;
    private final Set<String> forgiven = ConcurrentHashMap.newKeySet();
    private final List<String> arrived = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Receivers() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/invoices", exchange -> take(exchange, REFUSE, 422));
        server.createContext("/warehouse", exchange -> take(exchange, CLOSED, 500));
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on takes what it refused for this reason. */
    void forgive(String reason) {
        forgiven.add(reason);
    }

    /** What has arrived, as often as it did. */
    List<String> arrived() {
        return List.copyOf(arrived);
    }

    private void take(HttpExchange exchange, Pattern trouble, int status) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Matcher why = trouble.matcher(body);
        if (why.find() && !forgiven.contains(why.group(1))) {
            answer(exchange, status, why.group(1));
        } else {
            arrived.add(body);
            answer(exchange, 200, "");
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
