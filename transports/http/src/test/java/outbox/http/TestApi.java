package outbox.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A real HTTP server on the loopback interface that keeps accepted requests and sends the answers that a test prepares.
 */
final class TestApi implements AutoCloseable {

    static final String TOKEN = "the-right-token";

    /** A request as it arrived. */
    @SuppressWarnings("ArrayRecordComponent")
    record Request(String path, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        String header(String name) {
            return headers.get(name);
        }
    }

    /** A prepared answer. */
    record Reply(int status, Map<String, String> headers, String body, Duration after) {
        Reply(int status) {
            this(status, "");
        }

        Reply(int status, String body) {
            this(status, Map.of(), body, Duration.ZERO);
        }

        /** An answer of a slow server. */
        Reply slow(Duration time) {
            return new Reply(status, headers, body, time);
        }

        Reply with(String header, String value) {
            Map<String, String> all = new LinkedHashMap<>(headers);
            all.put(header, value);
            return new Reply(status, all, body, after);
        }
    }

    private final @Nullable SSLContext tls;
    private HttpServer server;
    private ExecutorService threads;

    // Guarded by this.
    private final List<Request> taken = new ArrayList<>();
    private final List<Request> seen = new ArrayList<>();
    private final Set<Integer> clientPorts = new TreeSet<>();
    private Function<Request, Reply> reply = request -> new Reply(200);
    private @Nullable CountDownLatch frozen;

    TestApi() {
        this(null);
    }

    TestApi(@Nullable SSLContext tls) {
        this.tls = tls;
        open(0);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return (tls == null ? "http" : "https") + "://127.0.0.1:" + port();
    }

    synchronized TestApi reply(Function<Request, Reply> how) {
        reply = how;
        return this;
    }

    private void open(int port) {
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            if (tls == null) {
                server = HttpServer.create(address, 100);
            } else {
                HttpsServer https = HttpsServer.create(address, 100);
                https.setHttpsConfigurator(new HttpsConfigurator(tls));
                server = https;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join(", ", values)));
        Request request = new Request(
                exchange.getRequestURI().toString(),
                headers,
                exchange.getRequestBody().readAllBytes());
        synchronized (this) {
            clientPorts.add(exchange.getRemoteAddress().getPort());
        }
        if (!waitedForThaw()) {
            Reply answer = answerTo(request);
            LockSupport.parkNanos(answer.after().toNanos());
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
        exchange.close();
    }

    /** Returns whether this request arrived while the server was frozen. Its client no longer waits for the answer. */
    private boolean waitedForThaw() {
        CountDownLatch thaw;
        synchronized (this) {
            thaw = frozen;
        }
        if (thaw == null) {
            return false;
        }
        try {
            thaw.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private synchronized Reply answerTo(Request request) {
        Reply answer = reply.apply(request);
        seen.add(request);
        if (answer.status() < 300) {
            taken.add(request);
        }
        notifyAll();
        return answer;
    }

    // ---- received requests -----------------------------------------------------------------------------------------

    /** Returns everything that was answered, with any status. */
    synchronized List<Request> seen() {
        return List.copyOf(seen);
    }

    /** Returns how many connections requests have used. */
    synchronized int connections() {
        return clientPorts.size();
    }

    /** Returns the requests that were answered with success. */
    synchronized List<Request> taken() {
        return List.copyOf(taken);
    }

    /** Waits for a while until the accepted requests are enough. */
    synchronized List<Request> taken(Function<List<Request>, Boolean> isEnough, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!isEnough.apply(List.copyOf(taken)) && System.nanoTime() < end) {
            try {
                wait(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        return List.copyOf(taken);
    }

    // ---- faults ----------------------------------------------------------------------------------------------------

    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    void start() {
        open(server.getAddress().getPort());
    }

    synchronized void freeze() {
        frozen = new CountDownLatch(1);
    }

    synchronized void thaw() {
        if (frozen != null) {
            frozen.countDown();
            frozen = null;
        }
    }

    @Override
    public void close() {
        thaw();
        stop();
    }
}
