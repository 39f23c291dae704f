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
 * Serves static answers on a port, before the web application can answer and however busy it is. Each request has a
 * thread of its own, no body is read, and a client that takes longer than some seconds is disconnected. If too many
 * clients are that slow, the next one is disconnected immediately.
 */
final class HealthListener implements AutoCloseable {

    private static final String REQUEST_SECONDS_MAX = "5";
    private static final int NO_BODY = -1;
    /** The limit of platform threads. */
    private static final int THREADS_MAX = 200;

    static {
        // The JDK's server reads these properties when its class is initialized.
        System.setProperty("sun.net.httpserver.maxReqTime", REQUEST_SECONDS_MAX);
        System.setProperty("sun.net.httpserver.maxRspTime", REQUEST_SECONDS_MAX);
    }

    private final HttpServer server;
    private final ExecutorService threads = threads(Runtime.version().feature());

    private HealthListener(HttpServer server, Function<String, StaticAnswer> answers) {
        this.server = server;
        server.createContext("/", exchange -> answer(exchange, answers));
        server.setExecutor(threads);
        server.start();
    }

    /**
     * Opens the port.
     *
     * @param port 0 for any free port
     * @param answers the answer for each path
     * @throws PortInUseException if another process listens on the port
     */
    static HealthListener open(String address, int port, Function<String, StaticAnswer> answers) {
        try {
            return new HealthListener(
                    HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0), answers);
        } catch (BindException e) {
            throw new PortInUseException(port, e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + address + ":" + port, e);
        }
    }

    /** Virtual threads only if they may wait in a monitor: the JDK's server reads requests in one. */
    static ExecutorService threads(int javaFeature) {
        return ConnectionLimits.mayBeVirtual(javaFeature)
                ? Executors.newVirtualThreadPerTaskExecutor()
                : new ThreadPoolExecutor(0, THREADS_MAX, 10, TimeUnit.SECONDS, new SynchronousQueue<>());
    }

    private static void answer(HttpExchange exchange, Function<String, StaticAnswer> answers) throws IOException {
        try (exchange) {
            StaticAnswer answer = answers.apply(exchange.getRequestURI().getPath());
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
