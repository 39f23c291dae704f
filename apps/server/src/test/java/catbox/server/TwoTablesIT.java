package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.internal.Ulids;

/** The example file for events and dispatch jobs: ids of 13 characters, message groups, two endpoints of one API. */
class TwoTablesIT {

    private static final Path EXAMPLE = Path.of("src/main/config/events-and-dispatch-jobs.yaml");
    private static final Pattern ID = Pattern.compile("\"id\":\"(\\w+)\",\"group\":\"([^\"]*)\"");
    private static final int EVENTS = 60;

    @TempDir
    Path folder;

    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refusals = new AtomicInteger(2);
    private HttpServer api;

    private record Request(String path, String token, List<Item> items) {}

    private record Item(String id, String group) {}

    @BeforeEach
    void open() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setExecutor(Executors.newCachedThreadPool());
        api.createContext("/", this::answer);
        api.start();
    }

    @AfterEach
    void close() {
        api.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean taken = refusals.getAndDecrement() <= 0;
        if (taken) {
            List<Item> items = new ArrayList<>();
            Matcher each = ID.matcher(body);
            while (each.find()) {
                items.add(new Item(each.group(1), each.group(2)));
            }
            requests.add(new Request(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    items));
        }
        exchange.sendResponseHeaders(taken ? 200 : 503, -1);
        exchange.close();
    }

    /** The application's side: stores an event in a table or collection, and waits until so many are done. */
    private interface Side {
        void publish(EventEnvelope event) throws Exception;

        void awaitDone(int events);
    }

    @Test
    void deliversEachTableToItsEndpointInTheOrderOfItsGroups() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("two_tables");

        deliver(url, postgres.user(), table -> {
            TestTable side = new TestTable(postgres, url, table);
            return new Side() {
                @Override
                public void publish(EventEnvelope event) throws Exception {
                    side.publish(event);
                }

                @Override
                public void awaitDone(int events) {
                    side.awaitDone(events);
                }
            };
        });
    }

    @Test
    void deliversCollectionsByTheSameFile() throws Exception {
        String uri = TestCollection.sharedUri();
        String database = "two_tables_" + Ulids.SYSTEM.next();
        String url = uri.replaceFirst("(//[^/?]*)/?", "$1/" + database);
        List<TestCollection> open = new ArrayList<>();
        try {
            deliver(url, "", table -> {
                TestCollection side = new TestCollection(uri, database, table);
                open.add(side);
                return new Side() {
                    @Override
                    public void publish(EventEnvelope event) {
                        side.publish(event);
                    }

                    @Override
                    public void awaitDone(int events) {
                        side.awaitDone(events);
                    }
                };
            });
        } finally {
            open.forEach(TestCollection::close);
        }
    }

    private void deliver(String url, String user, Function<String, Side> sides) throws Exception {
        Map<String, String> environment = Map.of(
                "OUTBOX_DB_URL",
                url,
                "OUTBOX_DB_USER",
                user,
                "API_BASE_URL",
                "http://127.0.0.1:" + api.getAddress().getPort(),
                "API_TOKEN",
                "the-token",
                "API_IS_PRIVATE",
                "true");
        try (TestServer server =
                TestServer.start(folder, Files.readString(EXAMPLE) + "server: { port: 0 }\n", environment)) {
            server.awaitReady();
            Side events = sides.apply("outbox_events");
            Side jobs = sides.apply("outbox_dispatch_jobs");
            for (int n = 0; n < EVENTS; n++) {
                events.publish(item("EVENT", n, "order-" + n % 5));
                jobs.publish(item("DISPATCH_JOB", n, n % 2 == 0 ? null : "customer-1"));
            }

            events.awaitDone(EVENTS);
            jobs.awaitDone(EVENTS);
        }
        assertThat(requests).allSatisfy(request -> assertThat(request.token()).isEqualTo("Bearer the-token"));
        for (int group = 0; group < 5; group++) {
            assertThat(idsOf("/api/events/batch", "order-" + group))
                    .hasSize(EVENTS / 5)
                    .isSorted();
        }
        assertThat(idsOf("/api/dispatch/jobs/batch", "customer-1"))
                .hasSize(EVENTS / 2)
                .isSorted();
        assertThat(idsOf("/api/dispatch/jobs/batch", "null"))
                .hasSize(EVENTS / 2)
                .doesNotHaveDuplicates();
        assertThat(requests).extracting(Request::path).containsOnly("/api/events/batch", "/api/dispatch/jobs/batch");
    }

    private List<String> idsOf(String path, String group) {
        return requests.stream()
                .filter(request -> request.path().equals(path))
                .flatMap(request -> request.items().stream())
                .filter(item -> item.group().equals(group))
                .map(Item::id)
                .toList();
    }

    private static EventEnvelope item(String type, int number, String group) {
        String id = String.format("0HZXEQ5Y8%04d", number);
        return EventEnvelope.builder(type)
                .eventId(id)
                .orderingKey(group)
                .payloadJson("{\"id\":\"" + id + "\",\"group\":\"" + group + "\",\"type\":\"order.created\"}")
                .build();
    }
}
