package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

class DestinationFakesTest {

    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final Outcome REFUSED = new Outcome.Rejected("no");

    private final List<String> reports = Collections.synchronizedList(new ArrayList<>());
    private final Destination.Receipt receipt =
            (index, outcome) -> reports.add(index + " " + outcome.getClass().getSimpleName());
    private final List<Delivery> three =
            Events.many(3).stream().map(event -> new Delivery(event, 1)).toList();

    @Test
    void theNoopTakesEverythingAtOnce() {
        try (NoopDestination noop = new NoopDestination(DestinationTraits.requestResponse())) {
            noop.deliver(three, receipt);

            assertThat(reports).containsExactly("0 Delivered", "1 Delivered", "2 Delivered");
            assertThat(noop.delivered()).isEqualTo(3);
            assertThat(noop.traits()).isEqualTo(DestinationTraits.requestResponse());
        }
    }

    @Test
    void theRecorderAnswersAsConfigured() {
        RecordingDestination recorder = new RecordingDestination();
        recorder.answer(delivery -> delivery.equals(three.get(1)) ? REFUSED : DELIVERED);

        recorder.deliver(three.subList(0, 2), receipt);
        recorder.deliver(three.subList(2, 3), receipt);

        assertThat(reports).containsExactly("0 Delivered", "1 Rejected", "0 Delivered");
        assertThat(recorder.deliveries()).isEqualTo(three);
        assertThat(recorder.eventIds())
                .containsExactlyElementsOf(
                        three.stream().map(each -> each.event().eventId()).toList());
        assertThat(recorder.calls()).containsExactly(three.subList(0, 2), three.subList(2, 3));
    }

    @Test
    void theRecorderHoldsAnswersUntilTheyAreReleased() {
        RecordingDestination recorder = new RecordingDestination();
        recorder.delayAnswers();
        recorder.deliver(three, receipt);
        assertThat(reports).isEmpty();
        assertThat(recorder.delayed()).isEqualTo(three);

        assertThat(recorder.releaseOne()).isTrue();
        assertThat(reports).containsExactly("0 Delivered");
        recorder.answer(delivery -> REFUSED);
        recorder.releaseAll();
        assertThat(reports).containsExactly("0 Delivered", "1 Rejected", "2 Rejected");
        assertThat(recorder.releaseOne()).isFalse();
        recorder.deliver(three.subList(0, 1), receipt);
        assertThat(reports).hasSize(4);
    }

    @Test
    void theRecorderKeepsEverythingThatManyThreadsDeliver() {
        RecordingDestination recorder = new RecordingDestination();
        recorder.delayAnswers();
        Race.between(List.of(
                () -> repeat(200, () -> recorder.deliver(three, receipt)),
                () -> repeat(200, () -> recorder.deliver(three, receipt)),
                () -> repeat(300, recorder::releaseOne)));
        recorder.releaseAll();

        assertThat(recorder.deliveries()).hasSize(1_200);
        assertThat(reports).hasSize(1_200);
    }

    private static void repeat(int times, Runnable action) {
        for (int n = 0; n < times; n++) {
            action.run();
        }
    }

    @Test
    void theRecorderAnswersNothingOnceItIsClosed() {
        RecordingDestination recorder = new RecordingDestination();
        recorder.delayAnswers();
        recorder.deliver(three, receipt);
        recorder.close();

        recorder.releaseAll();

        assertThat(reports).isEmpty();
        assertThat(recorder.isClosed()).isTrue();
        assertThatThrownBy(() -> recorder.deliver(three, receipt)).isInstanceOf(IllegalStateException.class);
    }
}
