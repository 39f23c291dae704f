package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopwatchTest {

    @Test
    void countsWhatAnActionWaitsForAndNoMoreThanThereWas() throws Exception {
        long begun = System.nanoTime();
        Stopwatch.Lap<Boolean> lap = Stopwatch.lap(() -> new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS));
        Duration there = Duration.ofNanos(System.nanoTime() - begun);

        assertThat(lap.answer()).isFalse();
        assertThat(lap.took()).isBetween(Duration.ZERO, there);
    }

    @Test
    void handsOnWhatWasThrown() {
        assertThatThrownBy(() -> Stopwatch.lap(() -> {
                    throw new IOException("gone");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Stopwatch.time(() -> {
                    throw new IllegalArgumentException("wrong");
                }))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
