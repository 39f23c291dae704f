package catbox.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

final class PublishingTest {

    private final Map<String, Queue<Long>> published = new ConcurrentHashMap<>();

    @Test
    void eventsOfAKeyCommitInTheOrderOfTheirNumbersWithSeveralThreads() throws Exception {
        long[] committed = new Publishing(new Recording(), new EventPlan(0, 4_000, 40, 0, 50), 0, 4, 3_600).run();

        assertThat(committed).hasSize(4_000).doesNotContain(0);
        assertThat(published)
                .hasSize(40)
                .allSatisfy((key, numbers) -> assertThat(List.copyOf(numbers)).isSorted());
    }

    @Test
    void refusesThreadsThatWouldShareAKey() {
        assertThatThrownBy(() -> new Publishing(new Recording(), new EventPlan(0, 10, 10, 0, 50), 0, 4, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4 threads cannot share 10 keys");
    }

    /** Only records calls. */
    private final class Recording implements Contender {

        @Override
        public String settings() {
            return "";
        }

        @Override
        public void clear() {}

        @Override
        public void append(EventPlan plan) {}

        @Override
        public void start(Progress progress) {}

        @Override
        public void stop() {}

        @Override
        public void business(long number) {}

        @Override
        public void publish(Event event) {
            published
                    .computeIfAbsent(event.key(), key -> new ConcurrentLinkedQueue<>())
                    .add(event.number());
        }

        @Override
        public void close() {}
    }
}
