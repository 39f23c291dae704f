package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class KeyRunTest {

    private final List<PendingRecord> call = new ArrayList<>();

    @Test
    void nextTopicOfAKeyBeginsWhenAllRecordsOfThePreviousTopicHaveArrived() {
        pending("key", "one");
        pending("key", "one");
        pending("key", "one");
        PendingRecord ofNextTopic = pending("key", "two");

        List<KeyRun> runs = KeyRun.of(call, pending -> false);

        assertThat(runs).hasSize(1);
        KeyRun first = runs.get(0);
        assertThat(first.records()).isEqualTo(call.subList(0, 3));
        assertThat(first.arrived()).isNull();
        assertThat(first.arrived()).isNull();
        KeyRun next = first.arrived();
        assertThat(next).isNotNull();
        assertThat(next.records()).containsExactly(ofNextTopic);
    }

    @Test
    void sendsNothingDirectlyBehindARecordThatMayBeRejected() {
        pending("key", "one");
        PendingRecord large = pending("key", "one");
        PendingRecord behind = pending("key", "one");

        KeyRun first = KeyRun.of(call, large::equals).get(0);

        assertThat(first.records()).isEqualTo(call.subList(0, 2));
        assertThat(first.arrived()).isNull();
        assertThat(first.arrived()).isNotNull().extracting(KeyRun::records).isEqualTo(List.of(behind));
    }

    @Test
    void otherKeysBeginAtOnce() {
        pending("key", "one");
        pending("key", "two");
        pending("other", "one");

        assertThat(KeyRun.of(call, pending -> false))
                .extracting(run -> run.records().get(0))
                .containsExactly(call.get(0), call.get(2));
    }

    @Test
    void returnsLaterRunsOnlyOnce() {
        pending("key", "one");
        PendingRecord second = pending("key", "two");
        PendingRecord third = pending("key", "three");
        KeyRun first = KeyRun.of(call, pending -> false).get(0);

        assertThat(first.takeLaterRuns()).containsExactly(second, third);
        assertThat(first.takeLaterRuns()).isEmpty();
    }

    private PendingRecord pending(String key, String topic) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), new byte[0]);
        PendingRecord pending =
                new PendingRecord(Sample.to(topic, Sample.ofKey(key)), message, call.size(), (index, outcome) -> {});
        call.add(pending);
        return pending;
    }
}
