package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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
import outbox.spi.Checkable;
import outbox.spi.Destination;
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
    void sendsTenMessagesWithOneRequestAndAsksForTheQueueOnce() {
        assertThat(deliver(standard.destination(), events(25))).allMatch(Outcome.Delivered.class::isInstance);
        assertThat(deliver(standard.destination(), events(10))).allMatch(Outcome.Delivered.class::isInstance);

        assertThat(standard.front.operations())
                .filteredOn("SendMessageBatch"::equals)
                .hasSize(4);
        // The requests of the first call may all have asked before one had its answer.
        assertThat(standard.front.operations())
                .filteredOn("GetQueueUrl"::equals)
                .hasSizeBetween(1, 3);
        assertThat(standard.received(35)).extracting(Received::eventId).doesNotHaveDuplicates();
    }

    @Test
    void canBeTriedWithoutSendingAnything() {
        Duration timeout = Duration.ofSeconds(10);
        ((Checkable) standard.destination()).check(timeout);
        try (Destination missing = standard.with(Map.of("queue", "no-such-queue"));
                Destination byEvent = standard.with(Map.of("queue", "{eventType}"));
                Destination refused = standard.withRefusedCredentials()) {
            assertThatThrownBy(() -> ((Checkable) missing).check(timeout))
                    .isInstanceOf(OutboxException.class)
                    .hasMessage("SQS: the queue no-such-queue does not exist");
            ((Checkable) byEvent).check(timeout); // Which queue it will be, nobody knows yet.
            assertThatThrownBy(() -> ((Checkable) refused).check(timeout))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("the credentials are refused");
        }
        assertThat(standard.front.operations()).doesNotContain("SendMessageBatch");
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
    void reportsEachMessageOfABatchByItself() {
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
                        new Outcome.Retryable(queue + "InternalError (later)", null),
                        new Outcome.Retryable(queue + "RequestThrottled (slow)", Duration.ofSeconds(2)),
                        new Outcome.Retryable(queue + "the answer does not name this message", null));
    }

    @Test
    void findsTheOneMessageThatSpoilsARequest() {
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
    void asksForTimeWhenThrottled() {
        deliver(standard.destination(), events(1));
        standard.front.answer(
                "SendMessageBatch", 400, "{\"__type\":\"com.amazonaws.sqs#RequestThrottled\",\"message\":\"slow\"}");

        assertThat(deliver(standard.destination(), events(2)))
                .allSatisfy(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Outcome.Retryable.class,
                                retryable -> assertThat(retryable.after()).isEqualTo(Duration.ofSeconds(2))));
        assertThat(standard.front.operations())
                .filteredOn("SendMessageBatch"::equals)
                .hasSize(2);
    }

    @Test
    void makesOneAttemptAndLeavesRetriesToOthers() {
        deliver(standard.destination(), events(1));
        standard.front.answer("SendMessageBatch", 500, "{\"__type\":\"com.amazonaws.sqs#InternalFailure\"}");

        assertThat(deliver(standard.destination(), events(1))).allMatch(Outcome.Retryable.class::isInstance);
        assertThat(standard.front.operations())
                .filteredOn("SendMessageBatch"::equals)
                .hasSize(2);
    }

    @Test
    void aFifoQueueTakesAnEventOnceHoweverOftenItIsSent() {
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
                .containsEntry(MessageSystemAttributeName.MESSAGE_GROUP_ID, MessageFormer.id("order 7"))
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
    void takesTheUrlOfAQueueAsItIs() {
        String url = ElasticMq.CONSUMER
                .getQueueUrl(request -> request.queueName(standard.queue))
                .queueUrl();
        try (Destination destination = standard.with(Map.of("queue", url))) {
            assertThat(deliver(destination, events(1))).containsExactly(new Outcome.Delivered(url, -1, -1));
        }
        assertThat(standard.front.operations()).containsExactly("SendMessageBatch");
    }

    @Test
    void waitsForAnOperatorToMakeTheQueue() {
        String later = "later-" + UUID.randomUUID();
        try (Destination destination = standard.with(Map.of("queue", later))) {
            assertThat(deliver(destination, events(1)).getFirst())
                    .isInstanceOfSatisfying(
                            Outcome.Retryable.class,
                            retryable -> assertThat(retryable.error()).contains("queue " + later));
            String url = SqsFixture.createQueue(later);
            assertThat(deliver(destination, events(1))).allMatch(Outcome.Delivered.class::isInstance);

            ElasticMq.CONSUMER.deleteQueue(request -> request.queueUrl(url));
            assertThat(deliver(destination, events(1))).allMatch(Outcome.Retryable.class::isInstance);
            SqsFixture.createQueue(later);
            assertThat(deliver(destination, events(1))).allMatch(Outcome.Delivered.class::isInstance);
        }
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
    void boundsTheRequestsUnderWayAndStillAnswersInTime() {
        try (Destination destination = standard.with(Map.of("requests-max", "2", "timeout", "2s"))) {
            deliver(destination, events(1));
            standard.front.freeze();

            assertThat(deliver(destination, events(60))).hasSize(60).allMatch(Outcome.Retryable.class::isInstance);

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
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        events.forEach(event -> outcomes.add(new CompletableFuture<Outcome>().orTimeout(20, TimeUnit.SECONDS)));
        destination.deliver(
                events.stream().map(event -> new Delivery(event, 1)).toList(),
                (index, outcome) -> outcomes.get(index).complete(outcome));
        return outcomes.stream().map(CompletableFuture::join).toList();
    }

    /** What the answer of the server says of one message. */
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
