package catbox.verification;

import catbox.devservices.DevServer;
import catbox.devservices.ProgramServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order service in a process of its own, as its customers see it. */
final class Shop implements AutoCloseable {

    private static final Pattern ORDER_ID = Pattern.compile("\"orderId\":(\\d+)");
    private static final String ORDER = "{\"item\":\"tea\",\"quantity\":%d,\"amountCents\":1250}";

    private final DevServer process;
    private final HttpClient client = HttpClient.newHttpClient();

    Shop(String databaseUrl, String databaseUser) {
        int port = ProgramServer.freePort();
        process = ProgramServer.start(
                "order-service",
                Jars.command(
                        Jars.ORDER_SERVICE,
                        "--server.port=" + port,
                        "--spring.datasource.url=" + databaseUrl,
                        "--spring.datasource.username=" + databaseUser),
                Map.of(),
                port,
                "/actuator/health");
    }

    /** Places an order, changes it and pays it: three events of one key. */
    long sell() {
        Matcher id = ORDER_ID.matcher(send("POST", "/orders", ORDER.formatted(1)));
        if (!id.find()) {
            throw new IllegalStateException("the answer names no order");
        }
        long orderId = Long.parseLong(id.group(1));
        send("PUT", "/orders/" + orderId, ORDER.formatted(2));
        send("POST", "/orders/payment", "{\"orderId\":" + orderId + "}");
        return orderId;
    }

    void issueCoupon(String name) {
        send("POST", "/coupons", "{\"couponName\":\"" + name + "\"}");
    }

    private String send(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + process.port() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .header("My-User-Id", "1")
                .build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (!List.of(200, 201).contains(answer.statusCode())) {
                throw new IllegalStateException(
                        method + " " + path + " was answered " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path + " was not answered", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        client.close();
        process.close();
    }
}
