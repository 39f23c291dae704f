package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class RunTest {

    private final List<Parcel> call = new ArrayList<>();

    @Test
    void nextTopicOfAKeyBeginsWhenTheLastRecordForTheTopicBeforeItHasArrived() {
        parcel("key", "one");
        parcel("key", "one");
        parcel("key", "one");
        Parcel ofNextTopic = parcel("key", "two");

        List<Run> runs = Run.of(call, parcel -> false);

        assertThat(runs).hasSize(1);
        Run first = runs.get(0);
        assertThat(first.parcels()).isEqualTo(call.subList(0, 3));
        assertThat(first.arrived()).isNull();
        assertThat(first.arrived()).isNull();
        Run next = first.arrived();
        assertThat(next).isNotNull();
        assertThat(next.parcels()).containsExactly(ofNextTopic);
    }

    @Test
    void nothingGoesDirectlyBehindARecordThatMayBeRefused() {
        parcel("key", "one");
        Parcel large = parcel("key", "one");
        Parcel behind = parcel("key", "one");

        Run first = Run.of(call, large::equals).get(0);

        assertThat(first.parcels()).isEqualTo(call.subList(0, 2));
        assertThat(first.arrived()).isNull();
        assertThat(first.arrived()).isNotNull().extracting(Run::parcels).isEqualTo(List.of(behind));
    }

    @Test
    void otherKeysBeginAtOnce() {
        parcel("key", "one");
        parcel("key", "two");
        parcel("other", "one");

        assertThat(Run.of(call, parcel -> false))
                .extracting(run -> run.parcels().get(0))
                .containsExactly(call.get(0), call.get(2));
    }

    @Test
    void whatCannotBeginAnyMoreIsNamedOnce() {
        parcel("key", "one");
        Parcel second = parcel("key", "two");
        Parcel third = parcel("key", "three");
        Run first = Run.of(call, parcel -> false).get(0);

        assertThat(first.breakOff()).containsExactly(second, third);
        assertThat(first.breakOff()).isEmpty();
    }

    private Parcel parcel(String key, String topic) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), new byte[0]);
        Parcel parcel = new Parcel(Sample.to(topic, Sample.ofKey(key)), message, call.size(), (index, outcome) -> {});
        call.add(parcel);
        return parcel;
    }
}
