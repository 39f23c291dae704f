package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static outbox.rabbitmq.Deliveries.deliver;
import static outbox.rabbitmq.Deliveries.deliverEventually;
import static outbox.rabbitmq.Deliveries.error;
import static outbox.rabbitmq.Deliveries.event;
import static outbox.rabbitmq.Deliveries.isUnavailable;
import static outbox.rabbitmq.Deliveries.to;

import catbox.devservices.RabbitMqBroker;
import catbox.devservices.RabbitMqServer;
import com.rabbitmq.client.GetResponse;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.testkit.Await;
import outbox.testkit.TransportFixture;
import outbox.testkit.TransportFixture.Received;

/** Checks how the destination connects and reconnects to a broker. */
@Timeout(180)
final class RabbitMqConnectionIT {

    private final RabbitMqFixture fixture = new RabbitMqFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void reconnectsAfterTheBrokerWasKilled() {
        EventEnvelope before = event();
        EventEnvelope after = event();
        deliverEventually(fixture.destination(), before);

        fixture.stopBroker();
        // Until the client has noticed, it may still use the broken connection.
        Await.until(
                "the destination says why",
                () -> error(deliver(fixture.destination(), event())).contains("cannot connect to 127.0.0.1"));
        fixture.startBroker();
        deliverEventually(fixture.destination(), after);

        // Confirmed and persistent: messages that were delivered before the broker's end still exist afterwards.
        assertThat(fixture.received(2))
                .extracting(Received::eventId)
                .containsExactly(before.eventId(), after.eventId());
    }

    /** The broker is not the cause, and events of the call that would fit again do not overtake. */
    @Test
    void repeatsMessagesThatDoNotFitTheQueue() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Destination destination = fixture.with(Map.of(
                        "port",
                        Integer.toString(silent.getLocalPort()),
                        "connect-timeout",
                        "60s",
                        "confirm-timeout",
                        "60s"))) {
            Delivery delivery = to(fixture.queue);
            destination.deliver(List.of(delivery), (index, outcome) -> {});
            try (Socket connecting = silent.accept()) { // The publisher has the first message, and waits for an answer.
                assertThat(connecting.isConnected()).isTrue();
                destination.deliver(Collections.nCopies(20_000, delivery), (index, outcome) -> {});

                List<Outcome> refused = deliver(destination, delivery, delivery);

                assertThat(refused).allMatch(outcome -> isUnavailable(outcome, Scope.CALL));
                assertThat(error(refused.get(0))).contains("too many messages wait");
            }
        }
    }

    @Test
    void deliversToAQuorumQueue() {
        RabbitMqFixture quorum = new RabbitMqFixture(Map.of("x-queue-type", "quorum"));
        try (quorum) {
            List<EventEnvelope> events = List.of(event(), event(), event());
            events.forEach(
                    event -> assertThat(deliver(quorum.destination(), event)).isInstanceOf(Outcome.Delivered.class));

            assertThat(quorum.received(3))
                    .extracting(Received::eventId)
                    .containsExactlyElementsOf(
                            events.stream().map(EventEnvelope::eventId).toList());
        }
    }

    @Test
    void aMessageIsPersistentAndHasItsProperties() {
        EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                .aggregateId("order-7")
                .payloadJson("{\"a\":1}")
                .build();
        deliver(fixture.destination(), event);

        GetResponse message =
                RabbitMqFixture.take(fixture.queue, 1, fixture.patience()).getFirst();

        assertThat(message.getProps().getMessageId()).isEqualTo(event.eventId());
        assertThat(message.getProps().getType()).isEqualTo("OrderPlaced");
        assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(message.getProps().getContentType()).isEqualTo("application/json");
        assertThat(message.getProps().getTimestamp().toInstant().getEpochSecond())
                .isEqualTo(event.occurredAt().getEpochSecond());
        assertThat(message.getBody()).asString().isEqualTo("{\"a\":1}");
    }

    @Test
    void sendsEveryForm() {
        EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                .aggregateId("order-7")
                .payloadJson("{}")
                .build();
        for (String form : List.of("cloudevents", "cloudevents-structured", "debezium-outbox")) {
            try (Destination destination = fixture.with(Map.of("form", form, "source", "/shop"))) {
                assertThat(deliver(destination, event)).isInstanceOf(Outcome.Delivered.class);
            }
        }
        List<Received> received = fixture.received(3);
        assertThat(received.get(0).headers()).containsEntry("cloudEvents_id", event.eventId());
        assertThat(received.get(1).body()).contains("\"source\":\"/shop\"");
        assertThat(received.get(2).headers()).containsEntry("id", event.eventId());
    }

    @Test
    void usesTlsWithATrustedBroker() {
        try (Destination trusting = fixture.with(tls(Map.of()));
                Destination byUri = fixture.with(tls(Map.of(
                        "uri",
                        "amqps://" + RabbitMq.broker().user() + ":"
                                + RabbitMq.broker().password() + "@localhost:"
                                + RabbitMq.broker().tlsPort())))) {
            assertThat(deliver(trusting, event())).isInstanceOf(Outcome.Delivered.class);
            assertThat(deliver(byUri, event())).isInstanceOf(Outcome.Delivered.class);
        }
        try (Destination distrusting = fixture.with(tls(Map.of("trust-store", "", "trust-store-password", "")))) {
            assertThat(error(deliver(distrusting, event()))).contains("cannot connect", "certification path");
        }
    }

    @Test
    void refusesACertificateForAnotherName() throws Exception {
        try (TlsProxy proxy = new TlsProxy(RabbitMq.broker().tlsPort())) {
            Map<String, String> elsewhere = Map.of("host", TlsProxy.ADDRESS, "port", Integer.toString(proxy.port()));
            Map<String, String> careless = new HashMap<>(elsewhere);
            careless.put("verify-host-name", "false");
            try (Destination strict = fixture.with(tls(elsewhere));
                    Destination lax = fixture.with(tls(careless))) {
                assertThat(error(deliver(strict, event()))).contains("No subject alternative names");
                assertThat(deliver(lax, event())).isInstanceOf(Outcome.Delivered.class);
            }
        }
    }

    @Test
    void reportsALoginFailure() {
        try (Destination wrongPassword = fixture.with(Map.of("password", TransportFixture.WRONG_SECRET));
                Destination wrongHost = fixture.with(Map.of("virtual-host", "nowhere"))) {
            Outcome refused = deliver(wrongPassword, event());
            assertThat(isUnavailable(refused, Scope.DESTINATION)).isTrue();
            assertThat(error(refused))
                    .contains("the broker refuses the user or the password")
                    .doesNotContain(TransportFixture.WRONG_SECRET);
            assertThat(error(deliver(wrongHost, event()))).contains("vhost nowhere not found");
        }
    }

    @Test
    void learnsTheBrokersMessageLimit() {
        deliver(fixture.destination(), event());
        assertThat(deliver(fixture.destination(), fixture.oversized())).isInstanceOf(Outcome.Rejected.class);

        // From now on such a message does not end the channel, so other messages are not affected.
        List<Outcome> outcomes = deliver(
                fixture.destination(), to(fixture.queue), new Delivery(fixture.oversized(), 1), to(fixture.queue));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Rejected.class);
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Delivered.class);
    }

    @Test
    void learningTheMessageLimitChargesNoOtherMessage() {
        deliver(fixture.destination(), event());
        deliver(fixture.destination(), event());
        Delivery[] deliveries = IntStream.range(0, 100)
                .mapToObj(n -> n == 50 ? new Delivery(fixture.oversized(), 1) : to(fixture.queue))
                .toArray(Delivery[]::new);

        List<Outcome> outcomes = deliver(fixture.destination(), deliveries);

        assertThat(outcomes.get(50)).isInstanceOf(Outcome.Rejected.class);
        assertThat(outcomes)
                .filteredOn(outcome -> !(outcome instanceof Outcome.Rejected))
                .hasSize(99)
                .allMatch(outcome -> outcome instanceof Outcome.Delivered || isUnavailable(outcome, Scope.CALL));
    }

    @Test
    void aCheckOpensTheConnectionThatDeliveriesUse() throws Exception {
        try (ChannelCount count = new ChannelCount(RabbitMq.broker().port());
                Destination destination = fixture.with(Map.of("port", Integer.toString(count.port())))) {
            for (int n = 0; n < 50; n++) {
                ((Checkable) destination).check(Duration.ofSeconds(10));
            }
            assertThat(count.connections()).isEqualTo(1);
            assertThat(count.opened()).isEqualTo(1);

            assertThat(deliver(destination, event())).isInstanceOf(Outcome.Delivered.class);

            assertThat(count.connections()).isEqualTo(1);
        }
    }

    @Test
    void aCheckEndsInTimeWhileTheBrokerIsFrozen() {
        Checkable checkable = (Checkable) fixture.destination();
        checkable.check(Duration.ofSeconds(20));
        fixture.freezeBroker();
        long start = System.nanoTime();

        assertThatThrownBy(() -> checkable.check(Duration.ofMillis(300)))
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("no answer within 300 ms");

        // Less than the time for a confirm, and enough for a busy machine.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        fixture.thawBroker();
        Await.until("a check succeeds again", () -> succeeds(checkable));
    }

    private static boolean succeeds(Checkable checkable) {
        try {
            checkable.check(Duration.ofSeconds(2));
            return true;
        } catch (OutboxException e) {
            return false;
        }
    }

    @Test
    void closingReportsMessagesThatMayHaveArrived() {
        Destination destination = fixture.with(Map.of());
        deliver(destination, event());
        fixture.freezeBroker();
        List<Outcome> outcomes = new CopyOnWriteArrayList<>();
        destination.deliver(List.of(to(fixture.queue)), (index, outcome) -> outcomes.add(outcome));
        // The request behind it is not answered; by then the message has been written.
        assertThatThrownBy(() -> ((Checkable) destination).check(Duration.ofSeconds(1)))
                .isInstanceOf(OutboxException.class);

        destination.close();
        destination.deliver(List.of(to(fixture.queue)), (index, outcome) -> outcomes.add(outcome));

        assertThat(outcomes)
                .containsExactly(
                        Outcome.Retryable.unanswered("the destination was closed before the broker confirmed"),
                        new Outcome.Unavailable("the destination is closed", Scope.CALL));
        fixture.thawBroker();
    }

    @Test
    void doesNotWaitForABlockedBroker() {
        try (RabbitMqBroker full = RabbitMqServer.start(Map.of("vm_memory_high_watermark.absolute", "1MB"));
                Destination destination = DestinationFactory.create(
                        "rabbitmq",
                        "orders",
                        Map.of(
                                "host", "127.0.0.1",
                                "port", Integer.toString(full.port()),
                                "user", full.user(),
                                "password", full.password(),
                                "confirm-timeout", "2s"))) {
            Outcome first = deliver(destination, event());
            assertThat(error(first)).contains("has not confirmed the message within 2000 ms");
            assertThat(first)
                    .isInstanceOfSatisfying(
                            Outcome.Retryable.class,
                            retryable -> assertThat(retryable.unanswered()).isTrue());
            Outcome second = deliver(destination, event());
            assertThat(isUnavailable(second, Scope.DESTINATION)).isTrue();
            assertThat(error(second)).contains("the broker currently accepts no messages");
            assertThatThrownBy(() -> ((Checkable) destination).check(Duration.ofSeconds(10)))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("the broker currently accepts no messages");
        }
    }

    /** With one channel nothing can be isolated, and all messages share it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aBrokerThatAllowsFewChannelsKeepsTheConnection(int channels) throws Exception {
        List<String> exchanges = List.of("amq.direct", "amq.fanout", "amq.topic", "amq.headers", "amq.match");
        try (RabbitMqBroker narrow = RabbitMqServer.start(Map.of("channel_max", Integer.toString(channels)));
                ChannelCount count = new ChannelCount(narrow.port());
                Destination destination = DestinationFactory.create(
                        "rabbitmq",
                        "orders",
                        Map.of(
                                "host", "127.0.0.1",
                                "port", Integer.toString(count.port()),
                                "user", narrow.user(),
                                "password", narrow.password()))) {
            RabbitMq.use(narrow, channel -> {
                // It confirms messages that are on the disk.
                channel.queueDeclare("orders", true, false, false, Map.of());
                for (String exchange : exchanges) {
                    channel.queueBind("orders", exchange, "key");
                }
                return null;
            });
            List<Delivery> left =
                    exchanges.stream().map(exchange -> to(exchange + "/key")).toList();
            for (int attempts = 0; attempts < 1_000 && !left.isEmpty(); attempts++) {
                List<Outcome> outcomes = deliver(destination, left.toArray(Delivery[]::new));
                assertThat(outcomes)
                        .allMatch(outcome ->
                                outcome instanceof Outcome.Delivered || isUnavailable(outcome, Scope.ADDRESS));
                List<Delivery> sent = left;
                left = IntStream.range(0, sent.size())
                        .filter(n -> !(outcomes.get(n) instanceof Outcome.Delivered))
                        .mapToObj(sent::get)
                        .toList();
            }
            ((Checkable) destination).check(Duration.ofSeconds(10));

            assertThat(left).isEmpty();
            assertThat(count.connections()).isEqualTo(1);
            assertThat(count.open()).isLessThanOrEqualTo(channels);
        }
    }

    private Map<String, String> tls(Map<String, String> further) {
        RabbitMqBroker broker = RabbitMq.broker();
        Map<String, String> settings = new HashMap<>(Map.of(
                "tls", "true",
                "port", Integer.toString(broker.tlsPort()),
                "trust-store", broker.trustStore().toString(),
                "trust-store-password", broker.trustStorePassword()));
        settings.putAll(further);
        if (further.containsKey("uri")) {
            settings.putAll(Map.of("host", "", "port", "", "user", "", "password", "", "tls", ""));
        }
        return settings;
    }
}
