package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServer;
import catbox.devservices.DevServices;
import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import catbox.devservices.ProgramServer;
import catbox.verification.Arrivals.Arrival;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/**
 * The order service in one process, two servers in others, two Kafka clusters. One server is killed and one cluster is
 * stopped and started while orders come in: everything arrives where its route says, each order's events in order, and
 * every row ends as done.
 */
class WholeRoadIT {

    private static final List<String> OF_AN_ORDER = List.of("OrderCreated", "OrderUpdated", "OrderCompleted");
    private static final int CUSTOMERS = 3;
    private static final int ORDERS_EACH = 60;
    private static final int COUPONS_EACH = 20;

    @Test
    void bringsEveryEventFromItsTransactionToItsTopicWhateverDies() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("whole_road");
        try (KafkaBroker main = KafkaServer.start();
                KafkaBroker marketing = KafkaServer.start();
                Shop shop = new Shop(url, postgres.user());
                Arrivals orders = new Arrivals(main, topic(main, "orders"));
                Arrivals coupons = new Arrivals(marketing, topic(marketing, "coupons"))) {
            String parts = parts(url, postgres.user(), main, marketing);
            try (DevServer first = server("first", parts);
                    DevServer second = server("second", parts)) {
                assertThat(second.port()).isNotEqualTo(first.port());
                Sales sales = new Sales(shop);
                sales.awaitOrders(20);
                first.kill();
                sales.awaitOrders(60);
                main.stop();
                sales.awaitOrders(100);
                main.start();
                Set<Long> sold = sales.finish();

                List<Arrival> ofOrders = orders.until(all -> ids(all).size() >= sold.size() * OF_AN_ORDER.size());
                List<Arrival> ofCoupons = coupons.until(all -> ids(all).size() >= CUSTOMERS * COUPONS_EACH);
                awaitAllDone(url, postgres.user());

                Set<String> arrived = ids(ofOrders);
                arrived.addAll(ids(ofCoupons));
                assertThat(arrived).isEqualTo(storedIds(url, postgres.user()));
                assertThat(typesInOrderOfArrival(ofOrders))
                        .hasSize(sold.size())
                        .allSatisfy((order, types) ->
                                assertThat(types).as("order %s", order).isEqualTo(OF_AN_ORDER));
                assertThat(ofCoupons).allMatch(arrival -> arrival.eventType().equals("CouponIssued"));
            }
        }
    }

    /** Customers who buy all the time, each for himself. */
    private static final class Sales {
        private final ConcurrentLinkedQueue<Long> sold = new ConcurrentLinkedQueue<>();
        private final List<Future<?>> customers = new ArrayList<>();
        private final ExecutorService threads = Executors.newFixedThreadPool(CUSTOMERS);
        private final Map<Integer, CountDownLatch> milestones =
                Map.of(20, new CountDownLatch(20), 60, new CountDownLatch(60), 100, new CountDownLatch(100));

        Sales(Shop shop) {
            for (int customer = 0; customer < CUSTOMERS; customer++) {
                customers.add(threads.submit(() -> buy(shop)));
            }
        }

        private void buy(Shop shop) {
            for (int order = 0; order < ORDERS_EACH; order++) {
                sold.add(shop.sell());
                milestones.values().forEach(CountDownLatch::countDown);
                if (order % 3 == 0) {
                    shop.issueCoupon("coupon-" + order);
                }
            }
        }

        void awaitOrders(int count) throws InterruptedException {
            milestones.get(count).await();
        }

        Set<Long> finish() throws Exception {
            for (Future<?> customer : customers) {
                customer.get();
            }
            threads.shutdown();
            return Set.copyOf(sold);
        }
    }

    private static DevServer server(String node, String parts) {
        int port = ProgramServer.freePort();
        String itself = """
                server:
                  port: %d
                  liveness-port: 0
                node:
                  id: %s
                  heartbeat: 500ms
                  node-timeout: 3s
                """.formatted(port, node);
        return ProgramServer.start(
                "catbox-server " + node,
                Jars.command(Jars.SERVER),
                Map.of("catbox.yaml", itself + parts),
                port,
                "/actuator/health/readiness");
    }

    private static String parts(String url, String user, KafkaBroker main, KafkaBroker marketing) {
        return """
                sources:
                  shop:
                    url: %s
                    user: %s
                destinations:
                  main:
                    kind: kafka
                    bootstrap-servers: %s
                  marketing:
                    kind: kafka
                    bootstrap-servers: %s
                routes:
                  - name: coupons
                    match: { event-type: Coupon* }
                    to: marketing/coupons
                  - name: orders
                    match: { event-type: Order* }
                    to: main/orders
                """.formatted(url, user, main.bootstrapServers(), marketing.bootstrapServers());
    }

    private static String topic(KafkaBroker broker, String name) throws Exception {
        try (Admin admin = Admin.create(new LinkedHashMap<>(broker.clientProperties()))) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
        }
        return name;
    }

    private static Set<String> ids(List<Arrival> arrivals) {
        return arrivals.stream().map(Arrival::eventId).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Each order's events as they first came: one that came twice counts once. */
    private static Map<String, List<String>> typesInOrderOfArrival(List<Arrival> arrivals) {
        Map<String, Set<String>> types = new LinkedHashMap<>();
        arrivals.forEach(arrival -> types.computeIfAbsent(arrival.key(), key -> new LinkedHashSet<>())
                .add(arrival.eventType()));
        return types.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> List.copyOf(each.getValue())));
    }

    private static void awaitAllDone(String url, String user) throws SQLException, InterruptedException {
        long end = System.nanoTime() + 30_000_000_000L;
        CountDownLatch pause = new CountDownLatch(1);
        while (!texts(url, user, "SELECT event_id FROM outbox_event WHERE status <> 1")
                        .isEmpty()
                && System.nanoTime() - end < 0) {
            pause.await(100, TimeUnit.MILLISECONDS);
        }
        assertThat(texts(url, user, "SELECT event_id || ' ' || status FROM outbox_event WHERE status <> 1"))
                .isEmpty();
    }

    private static Set<String> storedIds(String url, String user) throws SQLException {
        return texts(url, user, "SELECT event_id FROM outbox_event");
    }

    private static Set<String> texts(String url, String user, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            Set<String> texts = new LinkedHashSet<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }
}
