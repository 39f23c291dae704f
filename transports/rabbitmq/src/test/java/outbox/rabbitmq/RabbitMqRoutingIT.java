package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static outbox.rabbitmq.Deliveries.deliver;
import static outbox.rabbitmq.Deliveries.deliverEventually;
import static outbox.rabbitmq.Deliveries.error;
import static outbox.rabbitmq.Deliveries.event;
import static outbox.rabbitmq.Deliveries.isUnavailable;
import static outbox.rabbitmq.Deliveries.to;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.testkit.Await;
import outbox.testkit.TransportFixture.Received;

/** Checks which messages reach a queue, and the effect of others on them. */
@Timeout(120)
final class RabbitMqRoutingIT {

    private final RabbitMqFixture fixture = new RabbitMqFixture();
    private final String exchange = "exchange-" + UUID.randomUUID();

    @AfterEach
    void close() {
        RabbitMq.use(channel -> channel.exchangeDelete(exchange));
        fixture.close();
    }

    @Test
    void fillsInExchangeAndRoutingKey() {
        declare("topic");
        bind("shop.*.OrderPlaced");
        EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                .tenantId("north")
                .header("exchange", exchange)
                .payloadJson("{}")
                .build();

        try (Destination destination =
                fixture.with(Map.of("exchange", "{header:exchange}", "routing-key", "shop.{tenantId}.{eventType}"))) {
            assertThat(deliver(destination, event))
                    .isEqualTo(new Outcome.Delivered(exchange + "/shop.north.OrderPlaced", -1, -1));
        }
        assertThat(fixture.received(1)).extracting(Received::eventId).containsExactly(event.eventId());
    }

    @Test
    void rejectsOnlyTheEventWithoutTheValueThatTheRoutingKeyNeeds() {
        Delivery whole = new Delivery(
                EventEnvelope.builder("OrderPlaced")
                        .header("queue", fixture.queue)
                        .payloadJson("{}")
                        .build(),
                1);
        Delivery lacking = new Delivery(event(), 1);
        try (Destination destination = fixture.with(Map.of("routing-key", "{header:queue}"))) {
            List<Outcome> outcomes = deliver(destination, whole, lacking, to(fixture.queue));

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
            assertThat(outcomes.get(1)).isInstanceOf(Outcome.Rejected.class);
            assertThat(outcomes.get(2)).isInstanceOf(Outcome.Delivered.class);
            assertThat(destination.addressOf(whole)).isEqualTo(fixture.queue);
            assertThatThrownBy(() -> destination.addressOf(lacking))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("header:queue");
        }
    }

    @Test
    void followsTheAddressOfTheRoute() {
        declare("direct");
        bind("urgent");

        List<Outcome> outcomes =
                deliver(fixture.destination(), to(exchange + "/urgent"), to(fixture.queue), to("/" + fixture.queue));

        assertThat(outcomes).allMatch(Outcome.Delivered.class::isInstance);
        assertThat(fixture.received(3)).hasSize(3);
    }

    @Test
    void reportsAnUnroutableMessageAndDeliversItOnceAQueueIsBound() {
        declare("direct");
        EventEnvelope lost = event();
        Delivery delivery = new Delivery(lost, 1, exchange + "/nobody", Delivery.NO_PARTITION);

        List<Outcome> outcomes = deliver(fixture.destination(), to(fixture.queue), delivery, to(fixture.queue));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
        assertThat(isUnavailable(outcomes.get(1), Scope.ADDRESS)).isTrue();
        assertThat(error(outcomes.get(1))).contains(exchange, "\"nobody\"", "312 NO_ROUTE");
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Delivered.class);
        bind("nobody");
        assertThat(deliver(fixture.destination(), delivery).getFirst()).isInstanceOf(Outcome.Delivered.class);
        assertThat(fixture.received(3)).extracting(Received::eventId).contains(lost.eventId());
    }

    @Test
    void distinguishesReturnedMessagesFromOthers() {
        Delivery[] deliveries = IntStream.range(0, 500)
                .mapToObj(n -> to(n % 2 == 0 ? fixture.queue : "no-such-queue"))
                .toArray(Delivery[]::new);

        List<Outcome> outcomes = deliver(fixture.destination(), deliveries);

        for (int n = 0; n < outcomes.size(); n++) {
            assertThat(outcomes.get(n)).isInstanceOf(n % 2 == 0 ? Outcome.Delivered.class : Outcome.Unavailable.class);
        }
        assertThat(fixture.received(250)).hasSize(250);
    }

    @Test
    void letsTheBrokerDropUnroutableMessagesIfConfigured() {
        try (Destination destination = fixture.with(Map.of("mandatory", "false", "routing-key", "no-such-queue"))) {
            assertThat(deliver(destination, event())).isInstanceOf(Outcome.Delivered.class);
        }
    }

    @Test
    void aMissingExchangeStopsNoOther() {
        Delivery[] deliveries = IntStream.range(0, 300)
                .mapToObj(n -> to(n % 3 == 0 ? "missing-" + n % 7 + "/key" : fixture.queue))
                .toArray(Delivery[]::new);

        List<Outcome> outcomes = deliver(fixture.destination(), deliveries);

        for (int n = 0; n < outcomes.size(); n++) {
            if (n % 3 == 0) {
                assertThat(isUnavailable(outcomes.get(n), Scope.ADDRESS)).isTrue();
                assertThat(error(outcomes.get(n))).contains("no exchange 'missing-" + n % 7 + "'");
            } else {
                assertThat(outcomes.get(n)).isInstanceOf(Outcome.Delivered.class);
            }
        }
    }

    @Test
    void noticesThatAnExchangeAppearsAndDisappears() {
        try (Destination destination = fixture.with(Map.of("exchange", exchange))) {
            assertThat(error(deliver(destination, event()))).contains("no exchange '" + exchange + "'");
            declare("fanout");
            bind("");
            deliverEventually(destination, event());
            deliverEventually(destination, event()); // From here on it is proven, and shares a channel.

            RabbitMq.use(channel -> channel.exchangeDelete(exchange));
            assertThat(error(deliver(destination, event()))).contains("no exchange '" + exchange + "'");
            List<Outcome> others = deliver(destination, to("/" + fixture.queue), to(exchange + "/key"));
            assertThat(others.get(0)).isInstanceOf(Outcome.Delivered.class);
            assertThat(isUnavailable(others.get(1), Scope.ADDRESS)).isTrue();

            declare("fanout");
            bind("");
            deliverEventually(destination, event());
        }
    }

    @Test
    void aDeletedExchangeChargesNoMessageOfOthers() {
        declare("fanout");
        bind("");
        deliverEventually(fixture.destination(), event());
        for (int n = 0; n < 3; n++) {
            deliver(fixture.destination(), to(exchange + "/key"), to(fixture.queue));
        }
        RabbitMq.use(channel -> channel.exchangeDelete(exchange));
        Delivery[] deliveries = IntStream.range(0, 400)
                .mapToObj(n -> to(n == 200 ? exchange + "/key" : fixture.queue))
                .toArray(Delivery[]::new);

        List<Outcome> outcomes = deliver(fixture.destination(), deliveries);

        assertThat(isUnavailable(outcomes.get(200), Scope.ADDRESS)).isTrue();
        for (int n = 0; n < outcomes.size(); n++) {
            if (n != 200) {
                assertThat(outcomes.get(n))
                        .matches(outcome -> outcome instanceof Outcome.Delivered || isUnavailable(outcome, Scope.CALL));
            }
        }
    }

    @Test
    void aForbiddenExchangeStopsNoOther() {
        RabbitMq.use(channel -> channel.exchangeDeclare(exchange, "fanout", true, false, true, Map.of()));
        Delivery[] deliveries = IntStream.range(0, 300)
                .mapToObj(n -> to(n % 3 == 0 ? exchange + "/key" : fixture.queue))
                .toArray(Delivery[]::new);

        List<Outcome> outcomes = deliver(fixture.destination(), deliveries);

        for (int n = 0; n < outcomes.size(); n++) {
            if (n % 3 == 0) {
                assertThat(isUnavailable(outcomes.get(n), Scope.ADDRESS)).isTrue();
                assertThat(error(outcomes.get(n))).contains("ACCESS_REFUSED");
            } else {
                assertThat(outcomes.get(n)).isInstanceOf(Outcome.Delivered.class);
            }
        }
    }

    @Test
    void aFullQueueDoesNotBlameTheEvent() {
        String full = "full-" + UUID.randomUUID();
        RabbitMq.use(channel -> channel.queueDeclare(
                full, true, false, false, Map.of("x-max-length", 1, "x-overflow", "reject-publish")));
        try {
            assertThat(deliver(fixture.destination(), to(full)).getFirst()).isInstanceOf(Outcome.Delivered.class);

            List<Outcome> outcomes = deliver(fixture.destination(), to(fixture.queue), to(full), to(fixture.queue));

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
            assertThat(isUnavailable(outcomes.get(1), Scope.ADDRESS)).isTrue();
            assertThat(error(outcomes.get(1))).contains("nack");
            assertThat(outcomes.get(2)).isInstanceOf(Outcome.Delivered.class);
        } finally {
            RabbitMq.use(channel -> channel.queueDelete(full));
        }
    }

    @Test
    void namesTheAddressOfAnEvent() {
        try (Destination destination = fixture.with(Map.of("exchange", "shop", "routing-key", "{eventType}"))) {
            assertThat(destination.addressOf(new Delivery(event(), 1))).isEqualTo("shop/OrderPlaced");
            assertThat(destination.addressOf(to("urgent"))).isEqualTo("shop/urgent");
            assertThat(destination.addressOf(to("/orders"))).isEqualTo("orders");
        }
    }

    @Test
    void triesAMissingExchangeOnceInAWhileAndNotOncePerEvent() throws Exception {
        try (ChannelCount count = new ChannelCount(RabbitMq.broker().port());
                Destination destination = fixture.with(Map.of("port", Integer.toString(count.port())))) {
            deliverEventually(destination, event());
            int before = count.opened();
            long start = System.nanoTime();
            for (int call = 0; call < 10; call++) {
                Delivery[] deliveries = IntStream.range(0, 100)
                        .mapToObj(n -> to(n % 2 == 0 ? "missing/key" : fixture.queue))
                        .toArray(Delivery[]::new);

                List<Outcome> outcomes = deliver(destination, deliveries);

                for (int n = 0; n < outcomes.size(); n++) {
                    assertThat(outcomes.get(n))
                            .isInstanceOf(n % 2 == 0 ? Outcome.Unavailable.class : Outcome.Delivered.class);
                }
            }
            long seconds = 1 + Duration.ofNanos(System.nanoTime() - start).toSeconds();
            assertThat(count.opened() - before).isLessThanOrEqualTo((int) seconds + 1); // One for the proven exchange.
            assertThat(count.connections()).isEqualTo(1);
        }
    }

    @Test
    void aThousandRejectionsLeaveNeitherThreadsNorChannelsBehind() throws Exception {
        try (ChannelCount count = new ChannelCount(RabbitMq.broker().port());
                Destination destination = fixture.with(Map.of("port", Integer.toString(count.port())))) {
            deliverEventually(destination, event());
            int threads = Thread.activeCount();
            for (int call = 0; call < 20; call++) {
                Delivery[] deliveries = new Delivery[50];
                for (int n = 0; n < deliveries.length; n++) {
                    deliveries[n] = to(n < 40 ? "missing-" + (call * 50 + n) + "/key" : "no-such-queue");
                }
                assertThat(deliver(destination, deliveries)).allMatch(outcome -> isUnavailable(outcome, Scope.ADDRESS));
            }
            assertThat(deliver(destination, event())).isInstanceOf(Outcome.Delivered.class);

            assertThat(count.connections()).isEqualTo(1);
            Await.until("channels are closed", () -> count.open() <= 2);
            Await.until("threads have ended", () -> Thread.activeCount() <= threads + 2);
        }
    }

    /** Each round makes the attempts that a relay would make: events that are not charged are repeated at once. */
    @Test
    void findsTheMessageThatEndsItsChannelWithoutBeingNamed() throws Exception {
        Delivery poison = new Delivery(EventEnvelope.ofJson("Poison", "{}"), 1);
        try (ChannelCount front = new ChannelCount(RabbitMq.broker().port(), "Poison");
                Destination destination = fixture.with(Map.of("port", Integer.toString(front.port())))) {
            deliverEventually(destination, event());
            List<Delivery> left = new ArrayList<>(
                    IntStream.range(0, 400).mapToObj(n -> to(fixture.queue)).toList());
            left.add(200, poison);
            List<Outcome> charged = new ArrayList<>();
            for (int round = 0; round < 4 && !left.isEmpty(); round++) {
                List<Outcome> outcomes = deliver(destination, left.toArray(Delivery[]::new));
                List<Delivery> again = new ArrayList<>();
                for (int n = 0; n < outcomes.size(); n++) {
                    if (isUnavailable(outcomes.get(n), Scope.CALL)) {
                        again.add(left.get(n));
                    } else if (!(outcomes.get(n) instanceof Outcome.Delivered)) {
                        assertThat(left.get(n)).isEqualTo(poison);
                        charged.add(outcomes.get(n));
                    }
                }
                left = again;
            }
            assertThat(left).isEmpty();
            assertThat(charged)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Outcome.Retryable.class,
                            retryable -> assertThat(retryable.unanswered()).isFalse());
            assertThat(error(charged.getFirst())).contains("PRECONDITION_FAILED", "user_id");

            // Its next attempt does not affect others.
            Delivery[] retry = {to(fixture.queue), poison, to(fixture.queue)};
            List<Outcome> outcomes = deliver(destination, retry);
            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
            assertThat(outcomes.get(1)).isInstanceOf(Outcome.Retryable.class);
            assertThat(outcomes.get(2)).isInstanceOf(Outcome.Delivered.class);
            Await.until("channels are closed", () -> front.open() <= 2 + 10);
        }
    }

    private void declare(String type) {
        RabbitMq.use(channel -> channel.exchangeDeclare(exchange, type, true));
    }

    private void bind(String routingKey) {
        RabbitMq.use(channel -> channel.queueBind(fixture.queue, exchange, routingKey));
    }
}
