package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.testkit.Await;
import outbox.testkit.TransportFixture.Received;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

@Timeout(120)
final class SqsDestinationIT {

    private final SqsFixture fifo = SqsFixture.fifo();
    private final SqsFixture standard = SqsFixture.standard();

    @AfterEach
    void close() {
        fifo.close();
        standard.close();
    }

    @Test
    void sendsTenMessagesWithOneRequestAndOneQueueLookup() {
        assertThat(deliver(standard.destination(), events(25))).allMatch(Outcome.Delivered.class::isInstance);
        assertThat(deliver(standard.destination(), events(10))).allMatch(Outcome.Delivered.class::isInstance);

        assertThat(standard.front.operations())
                .filteredOn("SendMessageBatch"::equals)
                .hasSize(4);
        // All requests of the first call may have looked up the URL before one had its response.
        assertThat(standard.front.operations())
                .filteredOn("GetQueueUrl"::equals)
                .hasSizeBetween(1, 3);
        assertThat(standard.received(35)).extracting(Received::eventId).doesNotHaveDuplicates();
    }

    @Test
    void checkSendsNoMessage() {
        Duration timeout = Duration.ofSeconds(10);
        ((Checkable) standard.destination()).check(timeout);
        try (Destination missing = standard.with(Map.of("queue", "no-such-queue"));
                Destination byEvent = standard.with(Map.of("queue", "{eventType}"));
                Destination refused = standard.withRefusedCredentials()) {
            ((Checkable) missing).check(timeout); // SQS works, and other queues may exist.
            ((Checkable) byEvent).check(timeout); // The queue depends on the event.
            assertThatThrownBy(() -> ((Checkable) refused).check(timeout))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("the credentials are refused");
        }
        assertThat(standard.front.operations()).doesNotContain("SendMessageBatch");
    }

    @Test
    void anExcessCallIsRepeatedAndDoesNotBlameSqs() {
        Destination destination = standard.destination();
        deliver(destination, events(1));
        standard.front.freeze();
        List<Outcome> refused = new CopyOnWriteArrayList<>();
        Delivery delivery = new Delivery(EventEnvelope.ofJson("OrderPlaced", "{}"), 1);
        for (int call = 0; call <= 10_000; call++) {
            destination.deliver(List.of(delivery), (index, outcome) -> refused.add(outcome));
        }

        Await.until("the last call is refused", () -> !refused.isEmpty());
        assertThat(refused).containsExactly(new Outcome.Unavailable("too many calls are in flight", Scope.CALL));
        standard.front.thaw();
    }

    @Test
    void staysBelowTheLimitOfARequest() {
        List<EventEnvelope> large = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            large.add(EventEnvelope.ofJson("OrderPlaced", "\"" + "x".repeat(240_000) + "\""));
        }

        assertThat(deliver(standard.destination(), large)).allMatch(Outcome.Delivered.class::isInstance);

        assertThat(standard.front.operations())
                .filteredOn("SendMessageBatch"::equals)
                .hasSize(2);
        assertThat(standard.received(5)).hasSize(5);
    }

    @Test
    void reportsEachMessageOfABatchSeparately() {
        deliver(standard.destination(), events(1)); // The URL is known from here on.
        standard.front.edit("SendMessageBatch", answer -> """
                {"Successful":[%s],
                 "Failed":[{"Id":"0","Code":"InvalidMessageContents","SenderFault":true,"Message":"bad"},
                           {"Id":"2","Code":"InternalError","SenderFault":false,"Message":"later"},
                           {"Id":"3","Code":"RequestThrottled","SenderFault":true,"Message":"slow"}]}""".formatted(entry(answer, 1)));

        List<Outcome> outcomes = deliver(standard.destination(), events(5));

        String queue = "queue " + standard.queue + ": ";
        assertThat(outcomes)
                .containsExactly(
                        new Outcome.Rejected(queue + "InvalidMessageContents (bad)"),
                        new Outcome.Delivered(standard.queue, -1, -1),
                        new Outcome.Unavailable(queue + "InternalError (later)", Scope.ADDRESS),
                        new Outcome.Unavailable(
                                queue + "RequestThrottled (slow)", Scope.ADDRESS, Duration.ofSeconds(2)),
                        Outcome.Retryable.unanswered(queue + "the response does not name this message"));
    }

    @Test
    void findsTheMessageThatFailsARequest() {
        deliver(standard.destination(), events(1));
        String tooLong = "{\"__type\":\"com.amazonaws.sqs#BatchRequestTooLong\",\"message\":\"too long\"}";
        standard.front.answer("SendMessageBatch", 400, tooLong);
        standard.front.answer("SendMessageBatch", 400, tooLong);

        List<Outcome> outcomes = deliver(standard.destination(), events(3));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Rejected.class);
        assertThat(outcomes.subList(1, 3)).allMatch(Outcome.Delivered.class::isInstance);
        assertThat(standard.received(3)).hasSize(3);
    }

    @Test
    void waitsWhenThrottled() {
        deliver(standard.destination(), events(1));
        standard.front.answer(
                "SendMessageBatch", 400, "{\"__type\":\"com.amazonaws.sqs#RequestThrottled\",\"message\":\"slow\"}");

        assertThat(deliver(standard.destination(), events(2)))
                .allSatisfy(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Outcome.Unavailable.class,
                                unavailable -> assertThat(unavailable.after()).isEqualTo(Duration.ofSeconds(2))));
        assertThat(standard.front.operations())
                .filteredOn("SendMessageBatch"::equals)
                .hasSize(2);
    }

    @Test
    void makesOneAttemptWithoutRetries() {
        deliver(standard.destination(), events(1));
        standard.front.answer("SendMessageBatch", 500, "{\"__type\":\"com.amazonaws.sqs#InternalFailure\"}");

        assertThat(deliver(standard.destination(), events(1))).allMatch(Outcome.Unavailable.class::isInstance);
        assertThat(standard.front.operations())
                .filteredOn("SendMessageBatch"::equals)
                .hasSize(2);
    }

    @Test
    void aFifoQueueAcceptsARepeatedEventOnce() {
        List<EventEnvelope> events = events(2);

        deliver(fifo.destination(), events);
        deliver(fifo.destination(), events.subList(0, 1));
        deliver(fifo.destination(), events(1));

        assertThat(fifo.received(3))
                .extracting(Received::eventId)
                .doesNotHaveDuplicates()
                .hasSize(3);
    }

    @Test
    void groupsByKeyInAFifoQueue() {
        EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                .aggregateId("order 7")
                .payloadJson("{}")
                .build();

        deliver(fifo.destination(), List.of(event));

        Message message = receiveOne(fifo.queue);
        assertThat(message.attributes())
                .containsEntry(MessageSystemAttributeName.MESSAGE_GROUP_ID, MessageBuilder.id("order 7"))
                .containsEntry(MessageSystemAttributeName.MESSAGE_DEDUPLICATION_ID, event.eventId());
    }

    @Test
    void carriesMoreHeadersThanThereAreAttributes() {
        EventEnvelope.Builder event = EventEnvelope.builder("OrderPlaced").payloadJson("{}");
        for (int n = 0; n < 30; n++) {
            event.header("header " + n, "value \u0001 " + n);
        }

        deliver(standard.destination(), List.of(event.build()));

        assertThat(standard.received(1).getFirst().headers())
                .containsEntry("header 0", "value \u0001 0")
                .containsEntry("header 29", "value \u0001 29")
                .containsEntry("outbox-event-type", "OrderPlaced");
    }

    @Test
    void usesTheUrlOfAQueueUnchanged() {
        String url = ElasticMq.CONSUMER
                .getQueueUrl(request -> request.queueName(standard.queue))
                .queueUrl();
        try (Destination destination = standard.with(Map.of("queue", url))) {
            assertThat(deliver(destination, events(1))).containsExactly(new Outcome.Delivered(url, -1, -1));
        }
        assertThat(standard.front.operations()).containsExactly("SendMessageBatch");
    }

    @Test
    void rejectsOnlyTheEventWithoutTheValueThatTheQueueNeeds() {
        EventEnvelope whole = EventEnvelope.builder("OrderPlaced")
                .header("queue", standard.queue)
                .payloadJson("{}")
                .build();
        EventEnvelope lacking = events(1).getFirst();
        try (Destination destination = standard.with(Map.of("queue", "{header:queue}"))) {
            List<Outcome> outcomes = deliver(destination, List.of(whole, lacking, whole));

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
            assertThat(outcomes.get(1)).isInstanceOf(Outcome.Rejected.class);
            assertThat(outcomes.get(2)).isInstanceOf(Outcome.Delivered.class);
            assertThat(destination.addressOf(new Delivery(whole, 1))).isEqualTo(standard.queue);
            assertThatThrownBy(() -> destination.addressOf(new Delivery(lacking, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("header:queue");
        }
    }

    @Test
    void chargesOnlyTheMessageThatFails() {
        deliver(standard.destination(), events(1));
        String refusal = "{\"__type\":\"com.amazonaws.sqs#InvalidParameterValue\"}";
        standard.front.answer("SendMessageBatch", 400, refusal);
        standard.front.answer("SendMessageBatch", 400, refusal);

        List<Outcome> outcomes = deliver(standard.destination(), events(5));

        assertThat(outcomes.getFirst()).isInstanceOf(Outcome.Retryable.class);
        assertThat(outcomes.subList(1, 5)).allMatch(Outcome.Delivered.class::isInstance);
        assertThat(standard.received(5)).hasSize(5);
    }

    @Test
    void aFailingServiceChargesNoMessage() {
        for (int status : new int[] {429, 500, 502, 503, 504}) {
            standard.front.answer("SendMessageBatch", status, "{\"__type\":\"com.amazonaws.sqs#Overloaded\"}");

            assertThat(deliver(standard.destination(), events(3)))
                    .hasSize(3)
                    .allMatch(outcome -> isUnavailable(outcome, Scope.DESTINATION));
        }
    }

    @Test
    void waitsForAnOperatorToCreateTheQueue() {
        String later = "later-" + UUID.randomUUID();
        try (Destination destination = standard.with(Map.of("queue", later))) {
            assertThat(deliver(destination, events(1)).getFirst())
                    .isInstanceOfSatisfying(Outcome.Unavailable.class, unavailable -> {
                        assertThat(unavailable.scope()).isEqualTo(Scope.ADDRESS);
                        assertThat(unavailable.error()).contains("queue " + later);
                    });
            String url = SqsFixture.createQueue(later);
            Await.until("the queue is found", () -> isDelivered(destination));

            ElasticMq.CONSUMER.deleteQueue(request -> request.queueUrl(url));
            assertThat(deliver(destination, events(1))).allMatch(outcome -> isUnavailable(outcome, Scope.ADDRESS));
            SqsFixture.createQueue(later);
            Await.until("the queue is found again", () -> isDelivered(destination));
        }
    }

    @Test
    void aMissingQueueStopsNoOtherAndIsLookedUpOnceInAWhile() {
        List<EventEnvelope> events = events(400);
        List<Delivery> deliveries = new ArrayList<>();
        for (int n = 0; n < 400; n++) {
            deliveries.add(new Delivery(
                    events.get(n), 1, n % 4 == 0 ? standard.queue : "missing-" + n % 4, Delivery.NO_PARTITION));
        }
        long start = System.nanoTime();

        List<Outcome> outcomes = deliverAll(standard.destination(), deliveries);

        for (int n = 0; n < 400; n++) {
            if (n % 4 == 0) {
                assertThat(outcomes.get(n)).isInstanceOf(Outcome.Delivered.class);
            } else {
                assertThat(isUnavailable(outcomes.get(n), Scope.ADDRESS)).isTrue();
            }
        }
        long seconds = 1 + Duration.ofNanos(System.nanoTime() - start).toSeconds();
        // Each of three, and the lookups that began before the first response.
        assertThat(standard.front.operations())
                .filteredOn("GetQueueUrl"::equals)
                .hasSizeLessThanOrEqualTo((int) (3 * seconds + 1 + 10));
        assertThat(standard.front.operations())
                .filteredOn("SendMessageBatch"::equals)
                .hasSize(10);
        assertThat(standard.destination().addressOf(deliveries.getFirst())).isEqualTo(standard.queue);
        assertThat(standard.destination().addressOf(new Delivery(events.getFirst(), 1)))
                .isEqualTo(standard.queue);
    }

    @Test
    void aThousandRejectionsLeaveNeitherThreadsNorConnectionsBehind() {
        deliver(standard.destination(), events(1));
        long threads = threadsOfTheDestination();
        for (int call = 0; call < 40; call++) {
            standard.front.answer("SendMessageBatch", 503, "{\"__type\":\"com.amazonaws.sqs#ServiceUnavailable\"}");
            List<Delivery> refused = new ArrayList<>();
            for (EventEnvelope event : events(25)) {
                refused.add(new Delivery(
                        event,
                        1,
                        refused.size() < 10 ? standard.queue : "missing-" + refused.size(),
                        Delivery.NO_PARTITION));
            }
            assertThat(deliverAll(standard.destination(), refused)).allMatch(Outcome.Unavailable.class::isInstance);
        }

        // One for each concurrent request, and kept open.
        assertThat(standard.front.connections()).isLessThanOrEqualTo(12);
        Await.until("threads have ended", () -> threadsOfTheDestination() <= threads + 12);
    }

    // The server in this process starts threads of its own.
    private static long threadsOfTheDestination() {
        ThreadGroup ours = Thread.currentThread().getThreadGroup();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> ours.equals(thread.getThreadGroup()) && !ElasticMq.owns(thread))
                .count();
    }

    @Test
    void closingReportsMessagesThatMayHaveArrived() {
        Destination destination = standard.with(Map.of("requests-max", "1"));
        deliver(destination, events(1));
        standard.front.freeze();
        List<Outcome> outcomes = new CopyOnWriteArrayList<>();
        List<Delivery> deliveries =
                events(20).stream().map(event -> new Delivery(event, 1)).toList();
        int before = standard.front.operations().size();
        destination.deliver(deliveries, (index, outcome) -> outcomes.add(outcome));
        Await.until("a request has arrived", () -> standard.front.operations().size() > before);

        destination.close();

        assertThat(outcomes).hasSize(20);
        assertThat(outcomes)
                .filteredOn(Outcome.Retryable.class::isInstance)
                .hasSize(10)
                .allMatch(outcome -> ((Outcome.Retryable) outcome).unanswered());
        assertThat(outcomes)
                .filteredOn(outcome -> isUnavailable(outcome, Scope.CALL))
                .hasSize(10);
        standard.front.thaw();
    }

    private static boolean isDelivered(Destination destination) {
        return deliver(destination, events(1)).getFirst() instanceof Outcome.Delivered;
    }

    private static boolean isUnavailable(Outcome outcome, Scope scope) {
        return outcome instanceof Outcome.Unavailable unavailable && unavailable.scope() == scope;
    }

    @Test
    void sendsCloudEvents() {
        EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                .aggregateId("order-7")
                .payloadJson("{}")
                .build();
        try (Destination destination = standard.with(Map.of("form", "cloudevents", "source", "/shop"))) {
            deliver(destination, List.of(event));
        }
        assertThat(standard.received(1).getFirst().headers())
                .containsEntry("ce-id", event.eventId())
                .containsEntry("ce-source", "/shop")
                .containsEntry("ce-subject", "order-7")
                .containsEntry("content-type", "application/json");
    }

    @Test
    void boundsConcurrentRequestsAndReportsInTime() {
        try (Destination destination = standard.with(Map.of("requests-max", "2", "timeout", "2s"))) {
            deliver(destination, events(1));
            standard.front.freeze();

            List<Outcome> outcomes = deliver(destination, events(60));
            assertThat(outcomes)
                    .filteredOn(outcome -> outcome.equals(
                            Outcome.Retryable.unanswered("queue " + standard.queue + ": no response in time")))
                    .hasSize(20);
            assertThat(outcomes)
                    .filteredOn(outcome -> isUnavailable(outcome, Scope.DESTINATION))
                    .hasSize(40);

            assertThat(standard.front.operations())
                    .filteredOn("SendMessageBatch"::equals)
                    .hasSize(3);
        }
    }

    private static List<EventEnvelope> events(int count) {
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            events.add(EventEnvelope.ofJson("OrderPlaced", "{}"));
        }
        return events;
    }

    private static List<Outcome> deliver(Destination destination, List<EventEnvelope> events) {
        return deliverAll(
                destination,
                events.stream().map(event -> new Delivery(event, 1)).toList());
    }

    private static List<Outcome> deliverAll(Destination destination, List<Delivery> deliveries) {
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        deliveries.forEach(delivery -> outcomes.add(new CompletableFuture<Outcome>().orTimeout(20, TimeUnit.SECONDS)));
        destination.deliver(deliveries, (index, outcome) -> outcomes.get(index).complete(outcome));
        return outcomes.stream().map(CompletableFuture::join).toList();
    }

    /** Returns the part of the server's response that concerns one message. */
    private static String entry(String answer, int id) {
        Matcher entry = Pattern.compile("\\{[^{}]*\"Id\":\"" + id + "\"[^{}]*}").matcher(answer);
        assertThat(entry.find()).isTrue();
        return entry.group();
    }

    private static Message receiveOne(String queue) {
        String url = ElasticMq.CONSUMER
                .getQueueUrl(request -> request.queueName(queue))
                .queueUrl();
        return SqsFixture.receive(url).getFirst();
    }
}
