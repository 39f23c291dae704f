package catbox.orders;

import catbox.devservices.DevServices;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The running service on a real PostgreSQL, with an HTTP client. */
final class Running implements AutoCloseable {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final JsonMapper JSON = new JsonMapper();

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    private Running(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static Running start(Class<?> further, String... arguments) {
        String url = DevServices.postgres().createDatabase("orders_" + DATABASES.incrementAndGet());
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server.port=0");
        all.add("--spring.datasource.url=" + url);
        all.add("--spring.datasource.username=" + DevServices.postgres().user());
        return new Running(
                new SpringApplicationBuilder(OrderServiceApplication.class, further).run(all.toArray(String[]::new)));
    }

    /** A response. */
    record Answer(int status, String contentType, JsonNode body) {}

    /** An event as it is stored. */
    record Stored(String eventType, String aggregateType, String aggregateId, String orderingKey, JsonNode payload) {}

    Answer post(String path, String user, String body) throws IOException, InterruptedException {
        return send("POST", path, user, body);
    }

    Answer send(String method, String path, String user, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (!user.isEmpty()) {
            request.header("My-User-Id", user);
        }
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                JSON.readTree(response.body().isEmpty() ? "null" : response.body()));
    }

    /** Creates an order of user 1 and returns its id. */
    long order() throws IOException, InterruptedException {
        return post("/orders", "1", "{\"item\":\"tea\",\"quantity\":2,\"amountCents\":1250}")
                .body()
                .get("orderId")
                .asLong();
    }

    List<Stored> events(String aggregateType, long aggregateId) {
        return jdbc().sql("select event_type, aggregate_type, aggregate_id, ordering_key, payload from outbox_event"
                        + " where aggregate_type = ? and aggregate_id = ? order by seq")
                .params(aggregateType, Long.toString(aggregateId))
                .query((row, number) -> new Stored(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        JSON.readTree(row.getString(5))))
                .list();
    }

    long pending() {
        return jdbc().sql("select count(*) from outbox_event where status <> 1")
                .query(Long.class)
                .single();
    }

    private JdbcClient jdbc() {
        return context.getBean(JdbcClient.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
