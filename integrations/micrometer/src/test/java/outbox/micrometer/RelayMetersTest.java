package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Outcome;
import outbox.relay.DestinationConfig;
import outbox.relay.Relay;
import outbox.relay.observe.RelayEvent;
import outbox.testkit.NoopDestination;

class RelayMetersTest {

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final RelayMeters meters = new RelayMeters(registry, "orders");

    @Test
    void followsAnEventFromItsClaimToItsSettlement() {
        try (OneRelay one = new OneRelay(meters, "kafka-main").start()) {
            one.publish("order-1");
            Eventually.until("it is settled", () -> counter("outbox.settle.events", "outcome", "done") == 1);

            assertThat(sum("outbox.claim.events")).isEqualTo(1);
            assertThat(sum("outbox.deliver.events")).isEqualTo(1);
            assertThat(registry.get("outbox.deliver.latency")
                            .tags("source", "orders", "destination", "kafka-main")
                            .timer()
                            .count())
                    .isEqualTo(1);
            Eventually.until(
                    "settling is timed",
                    () -> registry.get("outbox.settle.time").timer().count() > 0);
            Eventually.until("it has its partitions", () -> gauge("outbox.cluster.partitions") == 6);
            Eventually.until(
                    "all of them are counted",
                    () -> counter("outbox.cluster.partitions.changed", "outcome", "acquired") == 6);
            assertThat(gauge("outbox.cluster.members")).isEqualTo(1);
        }
        assertThat(gauge("outbox.cluster.members")).isZero();
    }

    @Test
    void showsEventsInFlightAndTheBreaker() {
        try (OneRelay one = new OneRelay(meters, "kafka-main").start()) {
            one.destination.delayAnswers();
            one.publish("order-1");
            one.publish("order-2");
            Eventually.until("both are in flight", () -> gauge("outbox.deliver.inflight") == 2);
            assertThat(gauge("outbox.deliver.breaker")).isZero();
            Eventually.until("both are seen in memory", () -> gauge("outbox.order.events") == 2);

            one.destination.answer(delivery -> delivery.attempt() == 1
                    ? new Outcome.Retryable("it fails", null)
                    : new Outcome.Unavailable("down", Outcome.Unavailable.Scope.DESTINATION));
            one.destination.releaseAll();
            Eventually.until("the breaker is open", () -> gauge("outbox.deliver.breaker") == 2);
            Eventually.until(
                    "both failures are counted", () -> counter("outbox.deliver.failed", "outcome", "retry") == 2);
            Eventually.until(
                    "its opening is counted", () -> counter("outbox.deliver.breaker.changes", "outcome", "open") == 1);
            Eventually.until("nothing is in flight", () -> gauge("outbox.deliver.inflight") == 0);
        }
    }

    @Test
    void showsHowLongADestinationHasBeenDownAndWhenItIsProbed() {
        try (OneRelay one = new OneRelay(meters, "kafka-main").start()) {
            assertThat(gauge("outbox.deliver.destination.up")).isNaN();
            assertThat(gauge("outbox.deliver.destination.down.seconds")).isZero();
            assertThat(gauge("outbox.deliver.destination.next.probe.seconds")).isNaN();

            one.destination.answer(delivery -> new Outcome.Unavailable(
                    "connection refused", Outcome.Unavailable.Scope.DESTINATION, Duration.ofMinutes(30)));
            one.publish("order-1");
            Eventually.until("it is down", () -> gauge("outbox.deliver.destination.up") == 0);
            Eventually.until("time passes", () -> gauge("outbox.deliver.destination.down.seconds") > 0);
            // The breaker stays open for an hour.
            assertThat(gauge("outbox.deliver.destination.next.probe.seconds")).isBetween(3_000.0, 3_600.0);
        }
    }

    @Test
    void countsTheAddressesThatAreUnavailable() {
        try (OneRelay one = new OneRelay(meters, "kafka-main").start()) {
            one.publish("order-1");
            Eventually.until("it is up", () -> gauge("outbox.deliver.destination.up") == 1);
            assertThat(gauge("outbox.deliver.addresses.unavailable")).isZero();
            assertThat(gauge("outbox.deliver.destination.next.probe.seconds")).isNaN();

            one.destination.answer(
                    delivery -> new Outcome.Unavailable("the topic does not exist", Outcome.Unavailable.Scope.ADDRESS));
            one.publish("order-2");
            Eventually.until("the address is known", () -> gauge("outbox.deliver.addresses.unavailable") == 1);
            assertThat(gauge("outbox.deliver.destination.up")).isEqualTo(1);
        }
    }

    @Test
    void showsADestinationThatIsAddedLaterAndNaNForARemovedOne() {
        try (OneRelay one = new OneRelay(meters, "kafka-main")) {
            one.relay.destination("later", new NoopDestination(), DestinationConfig.defaults());
            assertThat(gauge("outbox.deliver.inflight", "destination", "later")).isZero();

            one.relay.removeDestination("later");
            assertThat(gauge("outbox.deliver.inflight", "destination", "later")).isNaN();
            assertThat(gauge("outbox.deliver.inflight", "destination", "kafka-main"))
                    .isZero();
        }
    }

    @Test
    void showsTheRelayThatWasBoundLast() {
        RelayMeters others = new RelayMeters(registry, "elsewhere");
        try (OneRelay first = new OneRelay(meters, "kafka-main");
                OneRelay second = new OneRelay(others, "kafka-main").start()) {
            assertThat(gauge("outbox.cluster.partitions", "source", "orders")).isZero();
            Eventually.until(
                    "the second has its partitions",
                    () -> gauge("outbox.cluster.partitions", "source", "elsewhere") == 6);

            meters.bind(second.relay);

            assertThat(first.relay.status().partitions()).isEmpty();
            assertThat(gauge("outbox.cluster.partitions", "source", "orders")).isEqualTo(6);
        }
    }

    @Test
    void showsTheAgeOfTheLastHeartbeat() {
        assertThat(registry.get("outbox.cluster.heartbeat.age").timeGauge().value())
                .isNaN();
        meters.on(new RelayEvent.HeartbeatSent(Duration.ofMillis(3), 2));
        clock.add(Duration.ofSeconds(4));

        assertThat(registry.get("outbox.cluster.heartbeat.age").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(4);
        assertThat(gauge("outbox.cluster.members")).isEqualTo(2);
        assertThat(registry.get("outbox.cluster.heartbeat.time").timer().count())
                .isEqualTo(1);
    }

    @Test
    void showsTheTrueStateWhileTheStoreIsAway() {
        meters.on(new RelayEvent.HeartbeatSent(Duration.ofMillis(3), 2));
        meters.on(new RelayEvent.MembersMissing(List.of("node-2")));
        assertThat(gauge("outbox.cluster.connected")).isEqualTo(1);
        assertThat(gauge("outbox.cluster.members.missing")).isEqualTo(1);

        meters.on(new RelayEvent.PartFailed("the router", "no", new IllegalStateException()));
        assertThat(gauge("outbox.cluster.connected")).isEqualTo(1);
        meters.on(new RelayEvent.PartFailed(Relay.HEARTBEATING, "no connection", new IllegalStateException()));

        assertThat(gauge("outbox.cluster.connected")).isZero();
        assertThat(gauge("outbox.cluster.members")).isZero();
        assertThat(gauge("outbox.cluster.members.missing")).isZero();
        meters.on(new RelayEvent.MemberEnded("node-2", Duration.ofSeconds(2)));
        assertThat(counter("outbox.cluster.members.ended")).isEqualTo(1);
        meters.on(new RelayEvent.DeliveriesPaused(Duration.ofSeconds(2)));
        assertThat(counter("outbox.cluster.deliveries.paused")).isEqualTo(1);
    }

    // A relay reports missing nodes only when their number changes, and it did not.
    @Test
    void showsAMissingNodeAgainWhenTheStoreIsBackOrTheNodeHasJoinedAgain() {
        meters.on(new RelayEvent.MembersMissing(List.of("node-2")));
        meters.on(new RelayEvent.HeartbeatSent(Duration.ofMillis(3), 2));

        meters.on(new RelayEvent.PartFailed(Relay.HEARTBEATING, "no connection", new IllegalStateException()));
        meters.on(new RelayEvent.HeartbeatSent(Duration.ofMillis(3), 2));
        assertThat(gauge("outbox.cluster.members.missing")).isEqualTo(1);

        meters.on(new RelayEvent.Left("node-1", "its heartbeats came too late"));
        assertThat(gauge("outbox.cluster.members.missing")).isZero();
        meters.on(new RelayEvent.HeartbeatSent(Duration.ofMillis(3), 2));
        assertThat(gauge("outbox.cluster.members.missing")).isEqualTo(1);
    }

    @Test
    void countsRefusedAcquiresRebalancingsAndAbandonedDeliveries() {
        meters.on(new RelayEvent.AcquireRefused(3));
        meters.on(new RelayEvent.Rebalanced(Set.of(), Set.of(1)));
        meters.on(new RelayEvent.PartitionLost(3, 7, "its heartbeats came too late", 5));

        assertThat(counter("outbox.cluster.partitions.changed", "outcome", "refused"))
                .isEqualTo(1);
        assertThat(counter("outbox.cluster.partitions.changed", "outcome", "lost"))
                .isEqualTo(1);
        assertThat(counter("outbox.cluster.rebalanced")).isEqualTo(1);
        assertThat(counter("outbox.deliver.abandoned")).isEqualTo(5);
    }

    @Test
    void neverMakesAKeyOrAnEventIdALabel() {
        for (int n = 0; n < 50; n++) {
            SampleEvents.withIdAndKey("event-" + n, "key-" + n).forEach(meters::on);
        }
        List<String> values = registry.getMeters().stream()
                .map(Meter::getId)
                .flatMap(id -> id.getTags().stream())
                .map(Tag::getValue)
                .toList();
        assertThat(values).noneMatch(value -> value.contains("event-") || value.contains("key-"));
    }

    @Test
    void isReadByPrometheusWithBucketsOfLatency() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        RelayMeters scraped = new RelayMeters(prometheus, "orders");
        try (OneRelay one = new OneRelay(scraped, "kafka-main").start()) {
            EventEnvelope event = one.publish("order-1");
            Eventually.until("it is delivered", () -> one.destination.eventIds().contains(event.eventId()));
            Eventually.until(
                    "it is counted", () -> prometheus.scrape().contains("outbox_deliver_latency_seconds_count"));
        }
        Set<String> lines = prometheus.scrape().lines().collect(Collectors.toSet());
        assertThat(lines)
                .anyMatch(line -> line.startsWith("outbox_deliver_latency_seconds_bucket{"
                        + "destination=\"kafka-main\",source=\"orders\",le=\"0.005\"}"));
        assertThat(lines).anyMatch(line -> line.startsWith("outbox_settle_events_total{"));
    }

    private double counter(String name, String... tags) {
        return registry.find(name).tags(tags).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private double sum(String name) {
        return counter(name);
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }
}
