package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.PermanentFailureException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.testkit.NoopDestination;
import outbox.testkit.RecordingDestination;

/** Checks that one trace runs from the publisher to the consumer. */
class TraceTest {

    private final Tracing tracing = new Tracing();
    private final PublishObservation publish = new PublishObservation(tracing.registry);
    private final RecordingDestination kafka = new RecordingDestination();
    private final Destination observed = ObservedDestination.around(kafka, "kafka-main", tracing.registry);
    private final List<Outcome> outcomes = new ArrayList<>();

    @AfterEach
    void closeTracing() {
        tracing.close();
    }

    @Test
    void runsFromTheRequestThroughTheStoreToTheMessage() {
        EventEnvelope stored = publishedInARequest();
        deliver(stored);

        SpanData request = tracing.span("request");
        SpanData published = tracing.span("publish OrderPlaced");
        SpanData delivered = tracing.span("deliver OrderPlaced");
        SpanData sent = tracing.span("send OrderPlaced");
        assertThat(List.of(published, delivered, sent))
                .allMatch(span -> span.getTraceId().equals(request.getTraceId()));
        assertThat(published.getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(delivered.getParentSpanId()).isEqualTo(published.getSpanId());
        assertThat(sent.getParentSpanId()).isEqualTo(delivered.getSpanId());
        assertThat(stored.headers()).containsEntry("traceparent", traceparent(published));
        assertThat(messageHeaders()).containsEntry("traceparent", traceparent(sent));
    }

    @Test
    void keepsTheRestOfAnEvent() {
        EventEnvelope event = sample().header("colour", "red").build();
        EventEnvelope stored = publish.prepare(event);
        deliver(stored);

        EventEnvelope message = kafka.deliveries().getFirst().event();
        assertThat(message.withHeaders(event.headers())).isEqualTo(event);
        assertThat(message.headers()).containsEntry("colour", "red").containsOnlyKeys("colour", "traceparent");
    }

    @Test
    void keepsTheTraceThatAnEventBroughtAlong() {
        String foreign = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        EventEnvelope stored =
                publish.prepare(sample().header("traceparent", foreign).build());
        assertThat(stored.headers()).containsEntry("traceparent", foreign);

        deliver(stored);
        assertThat(tracing.span("deliver OrderPlaced").getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    }

    @Test
    void publishesAnEventWithoutATraceIfItsHeadersAreFull() {
        EventEnvelope full = sample().header("filler", "x".repeat(EventEnvelope.HEADERS_BYTES_MAX - 6))
                .build();
        assertThat(publish.prepare(full)).isEqualTo(full);
    }

    @Test
    void recordsTheOutcomeOfEachAttempt() {
        kafka.answer(delivery -> delivery.attempt() == 1
                ? new Outcome.Retryable("broker down", null)
                : new Outcome.Rejected("too large"));
        observed.deliver(
                List.of(new Delivery(sample().build(), 1), new Delivery(sample().build(), 2)),
                (index, outcome) -> outcomes.add(outcome));

        List<SpanData> spans = tracing.exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("deliver OrderPlaced"))
                .toList();
        assertThat(spans).extracting(span -> attribute(span, "outcome")).containsExactly("retryable", "rejected");
        assertThat(spans).extracting(span -> attribute(span, "outbox.attempt")).containsExactly("1", "2");
        assertThat(spans).allMatch(span -> span.getStatus().getStatusCode() == StatusCode.ERROR);
        assertThat(spans.getFirst().getEvents().toString()).contains("broker down");
        assertThat(outcomes).hasSize(2);
    }

    @Test
    void endsAnAttemptOnceHoweverOftenItIsReported() {
        Destination twice = ObservedDestination.around(
                new Reporting((index, receipt) -> {
                    receipt.report(index, new Outcome.Delivered());
                    receipt.report(index, new Outcome.Rejected("late"));
                }),
                "twice",
                tracing.registry);
        twice.deliver(List.of(new Delivery(sample().build(), 1)), (index, outcome) -> outcomes.add(outcome));

        assertThat(tracing.exporter.getFinishedSpanItems()).hasSize(2);
        assertThat(outcomes).hasSize(2);
    }

    @Test
    void endsEveryAttemptOfACallThatThrows() {
        Destination throwing = ObservedDestination.around(
                new Reporting((index, receipt) -> {
                    throw new IllegalStateException("closed");
                }),
                "broken",
                tracing.registry);

        assertThatThrownBy(() -> throwing.deliver(
                        List.of(new Delivery(sample().build(), 1)), (index, outcome) -> outcomes.add(outcome)))
                .hasMessage("closed");
        assertThat(attribute(tracing.span("deliver OrderPlaced"), "outcome")).isEqualTo("retryable");
        assertThat(outcomes).isEmpty();
    }

    @Test
    void wrapsNothingWithoutObservers() {
        NoopDestination plain = new NoopDestination();
        EventListener listener = event -> {};
        assertThat(ObservedDestination.around(plain, "plain", ObservationRegistry.NOOP))
                .isSameAs(plain);
        assertThat(ObservedListener.around(listener, ObservationRegistry.NOOP)).isSameAs(listener);
        EventEnvelope event = sample().build();
        assertThat(new PublishObservation(ObservationRegistry.NOOP).prepare(event))
                .isSameAs(event);
    }

    @Test
    void isOpenWhileAListenerRuns() throws Exception {
        EventEnvelope stored = publishedInARequest();
        EventListener listener = ObservedListener.around(
                event -> Observation.createNotStarted("mail", tracing.registry).observe(() -> {}), tracing.registry);

        listener.onDelivery(new Delivery(stored, 3));

        SpanData delivered = tracing.span("deliver OrderPlaced");
        assertThat(delivered.getParentSpanId())
                .isEqualTo(tracing.span("publish OrderPlaced").getSpanId());
        assertThat(tracing.span("mail").getParentSpanId()).isEqualTo(delivered.getSpanId());
        assertThat(attribute(delivered, "outbox.attempt")).isEqualTo("3");
        assertThat(attribute(delivered, "outcome")).isEqualTo("delivered");
        assertThat(tracing.registry.getCurrentObservation()).isNull();
    }

    @Test
    void rethrowsAListenersException() {
        EventListener listener = ObservedListener.around(
                event -> {
                    throw new PermanentFailureException("no such customer");
                },
                tracing.registry);

        assertThatThrownBy(() -> listener.onEvent(sample().build())).isInstanceOf(PermanentFailureException.class);
        assertThat(attribute(tracing.span("deliver OrderPlaced"), "outcome")).isEqualTo("rejected");
    }

    @ParameterizedTest
    @EnumSource(FailingObserver.Step.class)
    void deliversAlthoughAnObserverFails(FailingObserver.Step step) throws Exception {
        ObservationRegistry failing = ObservationRegistry.create();
        failing.observationConfig().observationHandler(new FailingObserver(step));
        List<EventEnvelope> heard = new ArrayList<>();

        ObservedListener.around(heard::add, failing).onEvent(sample().build());
        ObservedDestination.around(kafka, "kafka-main", failing)
                .deliver(List.of(new Delivery(sample().build(), 1)), (index, outcome) -> outcomes.add(outcome));

        assertThat(heard).hasSize(1);
        assertThat(kafka.deliveries()).hasSize(1);
        assertThat(outcomes).containsExactly(new Outcome.Delivered());
        assertThat(failing.getCurrentObservation()).isNull();
    }

    @ParameterizedTest
    @EnumSource(FailingObserver.Step.class)
    void rethrowsAListenersExceptionAlthoughAnObserverFails(FailingObserver.Step step) {
        ObservationRegistry failing = ObservationRegistry.create();
        failing.observationConfig().observationHandler(new FailingObserver(step));
        EventListener listener = ObservedListener.around(
                event -> {
                    throw new PermanentFailureException("no such customer");
                },
                failing);

        assertThatThrownBy(() -> listener.onEvent(sample().build())).isInstanceOf(PermanentFailureException.class);
    }

    private EventEnvelope publishedInARequest() {
        return Observation.createNotStarted("request", tracing.registry)
                .observe(() -> publish.prepare(sample().build()));
    }

    private void deliver(EventEnvelope event) {
        observed.deliver(List.of(new Delivery(event, 1)), (index, outcome) -> outcomes.add(outcome));
    }

    private Map<String, String> messageHeaders() {
        return kafka.deliveries().getFirst().event().headers();
    }

    private static EventEnvelope.Builder sample() {
        return EventEnvelope.builder("OrderPlaced").aggregateId("order-1").payloadJson("{}");
    }

    private static String traceparent(SpanData span) {
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                + span.getSpanContext().getTraceFlags().asHex();
    }

    private static String attribute(SpanData span, String name) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
    }
}
