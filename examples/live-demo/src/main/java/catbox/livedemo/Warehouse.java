package catbox.livedemo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A third party's service that receives order changes, and rejects those with an unknown item. */
final class Warehouse implements AutoCloseable {

    private static final Pattern ITEM = Pattern.compile("\"item\"\\s*:\\s*\"([^\"]*)\"");

    private final HttpServer server;

    private Warehouse(HttpServer server) {
        this.server = server;
    }

    static Warehouse open() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", Warehouse::take);
        server.start();
        return new Warehouse(server);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/orders";
    }

    private static void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            Matcher item = ITEM.matcher(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            boolean known = item.find() && OrderDesk.ITEMS.contains(item.group(1));
            byte[] answer = (known
                            ? ""
                            : "there is no item \"" + (item.hasMatch() ? item.group(1) : "") + "\"; there are "
                                    + String.join(", ", OrderDesk.ITEMS))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? 200 : 422, known ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }

    @Override
    public String toString() {
        return "the warehouse on port " + server.getAddress().getPort();
    }
}
