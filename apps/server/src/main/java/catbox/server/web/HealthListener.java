package catbox.server.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.boot.web.server.PortInUseException;

/**
 * A port that answers in a few words, long before the web application can and whatever it is busy with. Each request has a
 * thread of its own, no body is read, and a client that takes longer than a few seconds is cut off; where too many do, the
 * next is cut off at once.
 */
final class HealthListener implements AutoCloseable {

    private static final String PATIENCE_SECONDS = "5";
    private static final int NO_BODY = -1;
    /** Where they are not virtual. */
    private static final int THREADS_MAX = 200;

    static {
        // Read by the JDK's server when it is first used.
        System.setProperty("sun.net.httpserver.maxReqTime", PATIENCE_SECONDS);
        System.setProperty("sun.net.httpserver.maxRspTime", PATIENCE_SECONDS);
    }

    private final HttpServer server;
    private final ExecutorService threads = threads(Runtime.version().feature());

    /** What a path is answered with. */
    record Answer(int status, String contentType, String body) {

        static Answer json(int status, String body) {
            return new Answer(status, "application/json", body);
        }

        static Answer problem(int status, String body) {
            return new Answer(status, "application/problem+json", body);
        }
    }

    private HealthListener(HttpServer server, Function<String, Answer> answers) {
        this.server = server;
        server.createContext("/", exchange -> answer(exchange, answers));
        server.setExecutor(threads);
        server.start();
    }

    /**
     * Opens the port.
     *
     * @param port 0 for any that is free
     * @param answers by path
     * @throws PortInUseException when another listens there
     */
    static HealthListener open(String address, int port, Function<String, Answer> answers) {
        try {
            return new HealthListener(
                    HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0), answers);
        } catch (BindException e) {
            throw new PortInUseException(port, e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address + ":" + port, e);
        }
    }

    /** The JDK's server reads from a client in a monitor. */
    static ExecutorService threads(int javaFeature) {
        return SlowClients.mayBeVirtual(javaFeature)
                ? Executors.newVirtualThreadPerTaskExecutor()
                : new ThreadPoolExecutor(0, THREADS_MAX, 10, TimeUnit.SECONDS, new SynchronousQueue<>());
    }

    private static void answer(HttpExchange exchange, Function<String, Answer> answers) throws IOException {
        try (exchange) {
            Answer answer = answers.apply(exchange.getRequestURI().getPath());
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.getResponseHeaders().set("Connection", "close");
            if (answer.status() == 503) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), head ? NO_BODY : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
