package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.testkit.Await;

/** Checks the effect of a rejected event and of a failing path on other events and on the process. */
@Timeout(60)
class HttpRefusalIT {

    private final TestApi api = new TestApi();

    @AfterEach
    void closeApi() {
        api.close();
    }

    private static Delivery to(String path, int key) {
        EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                .orderingKey("key-" + key)
                .payloadJson("{}")
                .build();
        return new Delivery(event, 1, path, Delivery.NO_PARTITION);
    }

    @Test
    void blamesOnlyTheFailingPathWithOneRequestPerEvent() throws Exception {
        api.reply(request -> new TestApi.Reply(
                switch (request.path()) {
                    case "/missing" -> 404;
                    case "/forbidden" -> 403;
                    case "/moved" -> 301;
                    default -> 200;
                }));
        List<String> paths = List.of("/good", "/missing", "/forbidden", "/good?x=1", "/moved");
        List<Delivery> deliveries =
                IntStream.range(0, 500).mapToObj(n -> to(paths.get(n % 5), n)).toList();
        try (HttpDestination destination = Attempts.to(api)) {
            List<Outcome> outcomes = Attempts.of(destination, deliveries);

            for (int n = 0; n < outcomes.size(); n++) {
                assertThat(Attempts.kind(outcomes.get(n))).isEqualTo(n % 5 % 3 == 0 ? "Delivered" : "ADDRESS");
            }
            assertThat(api.seen()).hasSize(500);
            assertThat(destination.addressOf(deliveries.get(1))).isEqualTo("/missing");
            // Without the query, which may be secret.
            assertThat(destination.addressOf(deliveries.get(3))).isEqualTo("/good");
        }
        try (HttpDestination byType = Attempts.to(api, "path", "/types/{eventType}?token=secret")) {
            assertThat(byType.addressOf(Attempts.json("1"))).isEqualTo("/types/OrderPlaced");
        }
    }

    @Test
    void rejectsOnlyTheEventWithoutTheValueThatThePathNeeds() throws Exception {
        List<Delivery> deliveries = IntStream.range(0, 3)
                .mapToObj(n -> new Delivery(
                        EventEnvelope.builder("OrderPlaced")
                                .orderingKey("key-" + n)
                                .tenantId(n == 1 ? null : "north")
                                .payloadJson("{}")
                                .build(),
                        1))
                .toList();
        try (HttpDestination destination = Attempts.to(api, "path", "/{tenantId}")) {
            assertThat(Attempts.kinds(Attempts.of(destination, deliveries)))
                    .containsExactly("Delivered", "Rejected", "Delivered");
            assertThat(destination.addressOf(deliveries.get(0))).isEqualTo("/north");
            assertThatThrownBy(() -> destination.addressOf(deliveries.get(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("tenantId");
        }
    }

    /** Happens when the code that takes the outcome reads the event's address. */
    @Test
    void aFailingReceiptDoesNotRejectTheEvent() {
        api.reply(request -> new TestApi.Reply(404));
        List<Outcome> outcomes = new CopyOnWriteArrayList<>();
        try (HttpDestination destination = Attempts.to(api)) {
            destination.deliver(List.of(to("/missing", 1)), (index, outcome) -> {
                outcomes.add(outcome);
                throw new IllegalArgumentException("the receipt failed");
            });
            Await.until("there is an outcome", () -> !outcomes.isEmpty());
        }
        assertThat(Attempts.kinds(outcomes)).startsWith("ADDRESS").doesNotContain("Rejected");
    }

    @Test
    void chargesNoEventThatWasNotSentInTime() throws Exception {
        api.reply(request -> new TestApi.Reply(200));
        try (HttpDestination destination = Attempts.to(api, "batch-size", "1", "request-timeout", "2s")) {
            api.freeze();
            List<Outcome> outcomes = Attempts.of(destination, Attempts.numbers(3));

            assertThat(Attempts.kinds(outcomes)).containsExactly("Unanswered", "CALL", "CALL");
            assertThat(Attempts.error(outcomes.get(0))).contains("no response within the request timeout");
        }
    }

    /** Each round is a call as a relay makes it: undelivered events are repeated at once, from the first on. */
    @Test
    void findsASlowlyRejectedEventInAnyNumberOfCalls() throws Exception {
        api.reply(request -> request.text().contains("-1")
                ? new TestApi.Reply(500).slow(Duration.ofMillis(1_400))
                : new TestApi.Reply(200));
        List<Delivery> events = new ArrayList<>(Attempts.numbers(16));
        events.set(2, Attempts.json("-1"));
        try (HttpDestination destination = Attempts.to(api, "request-timeout", "4s")) {
            List<Delivery> left = events;
            List<String> seen = new ArrayList<>();
            for (int call = 0; call < 10 && !seen.contains("Retryable"); call++) {
                List<String> kinds = Attempts.kinds(Attempts.of(destination, left));
                seen.addAll(kinds);
                left = left.subList(
                        (int) kinds.stream().filter("Delivered"::equals).count(), left.size());
            }

            // It is the first, and the events before it arrived.
            assertThat(left).hasSize(14).startsWith(events.get(2));
            assertThat(seen).containsOnly("Delivered", "CALL", "Retryable").containsOnlyOnce("Retryable");
        }
    }

    @Test
    void forgetsSearchesThatAreNeverContinued() {
        InterruptedSearches searches = new InterruptedSearches();
        IntStream.range(0, 5_000).forEach(n -> searches.interrupt("key-" + n, 7));

        assertThat(searches.size()).isEqualTo(1_000);
        assertThat(searches.take("key-4999", 100)).isEqualTo(7);
        assertThat(searches.take("key-4999", 100)).isEqualTo(100);
        assertThat(searches.take("key-0", 100)).isEqualTo(100);
    }

    /** Each path of a gateway may lead to another server. */
    @ParameterizedTest
    @ValueSource(ints = {401, 429, 502, 503, 504})
    void aFailingPathStopsNoOtherPathOfTheServer(int status) throws Exception {
        api.reply(request -> new TestApi.Reply(request.path().equals("/bad") ? status : 200));
        try (HttpDestination byHeader = Attempts.to(api, "path", "/{header:to}");
                HttpDestination byRoute = Attempts.to(api);
                HttpDestination onePath = Attempts.to(api, "path", "/bad")) {
            assertThat(Attempts.kinds(Attempts.of(byHeader, List.of(header("good"), header("bad")))))
                    .containsExactly("Delivered", "ADDRESS");
            assertThat(Attempts.kinds(Attempts.of(byRoute, List.of(to("/good", 1), to("/bad", 2)))))
                    .containsExactly("Delivered", "ADDRESS");
            assertThat(Attempts.kind(Attempts.of(onePath, Attempts.json("1")))).isEqualTo("DESTINATION");
        }
    }

    private static Delivery header(String to) {
        return new Delivery(
                EventEnvelope.builder("OrderPlaced")
                        .orderingKey(to)
                        .header("to", to)
                        .payloadJson("{}")
                        .build(),
                1);
    }

    @Test
    void aThousandRejectionsLeaveNeitherThreadsNorConnectionsBehind() throws Exception {
        try (HttpDestination destination = Attempts.to(api, "mode", "single")) {
            Attempts.of(destination, to("/good", 0));
            int threads = Thread.activeCount();
            long files = openFiles();

            int[] statuses = {404, 413, 500, 503};
            api.reply(request -> new TestApi.Reply(statuses[api.seen().size() % 4], "x".repeat(200)));
            for (int call = 0; call < 100; call++) {
                int first = call * 10;
                List<Outcome> outcomes = Attempts.of(
                        destination,
                        IntStream.range(first, first + 10)
                                .mapToObj(n -> to("/bad", n))
                                .toList());
                assertThat(outcomes).noneMatch(Outcome.Delivered.class::isInstance);
            }

            assertThat(api.seen()).hasSize(1_001);
            assertThat(api.connections()).isLessThan(60); // Ten at a time, and kept open for the next.
            Await.until("threads have ended", () -> Thread.activeCount() <= threads + 5);
            assertThat(openFiles()).isLessThan(files + 60);
        }
    }

    @Test
    void aThousandRefusedConnectionsLeaveNothingBehind() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        try (HttpDestination destination = Attempts.to(api, "base-url", "http://127.0.0.1:" + port)) {
            Attempts.of(destination, to("/", 0));
            int threads = Thread.activeCount();
            long files = openFiles();

            List<Outcome> outcomes = Attempts.of(
                    destination,
                    IntStream.range(0, 1_000).mapToObj(n -> to("/", n)).toList());

            assertThat(Attempts.kinds(outcomes)).containsOnly("DESTINATION");
            Await.until("sockets are closed", Duration.ofSeconds(20), () -> openFiles() <= files + 5);
            Await.until("threads have ended", () -> Thread.activeCount() <= threads + 5);
        }
    }

    private static long openFiles() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }
}
