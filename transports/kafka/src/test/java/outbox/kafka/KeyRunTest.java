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
    void nextTopicOfAKeyBeginsWhenTheLastRecordForTheTopicBeforeItHasArrived() {
        parcel("key", "one");
        parcel("key", "one");
        parcel("key", "one");
        PendingRecord ofNextTopic = parcel("key", "two");

        List<KeyRun> runs = KeyRun.of(call, parcel -> false);

        assertThat(runs).hasSize(1);
        KeyRun first = runs.get(0);
        assertThat(first.parcels()).isEqualTo(call.subList(0, 3));
        assertThat(first.arrived()).isNull();
        assertThat(first.arrived()).isNull();
        KeyRun next = first.arrived();
        assertThat(next).isNotNull();
        assertThat(next.parcels()).containsExactly(ofNextTopic);
    }

    @Test
    void nothingGoesDirectlyBehindARecordThatMayBeRefused() {
        parcel("key", "one");
        PendingRecord large = parcel("key", "one");
        PendingRecord behind = parcel("key", "one");

        KeyRun first = KeyRun.of(call, large::equals).get(0);

        assertThat(first.parcels()).isEqualTo(call.subList(0, 2));
        assertThat(first.arrived()).isNull();
        assertThat(first.arrived()).isNotNull().extracting(KeyRun::parcels).isEqualTo(List.of(behind));
    }

    @Test
    void otherKeysBeginAtOnce() {
        parcel("key", "one");
        parcel("key", "two");
        parcel("other", "one");

        assertThat(KeyRun.of(call, parcel -> false))
                .extracting(run -> run.parcels().get(0))
                .containsExactly(call.get(0), call.get(2));
    }

    @Test
    void whatCannotBeginAnyMoreIsNamedOnce() {
        parcel("key", "one");
        PendingRecord second = parcel("key", "two");
        PendingRecord third = parcel("key", "three");
        KeyRun first = KeyRun.of(call, parcel -> false).get(0);

        assertThat(first.breakOff()).containsExactly(second, third);
        assertThat(first.breakOff()).isEmpty();
    }

    private PendingRecord parcel(String key, String topic) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), new byte[0]);
        PendingRecord parcel =
                new PendingRecord(Sample.to(topic, Sample.ofKey(key)), message, call.size(), (index, outcome) -> {});
        call.add(parcel);
        return parcel;
    }
}
