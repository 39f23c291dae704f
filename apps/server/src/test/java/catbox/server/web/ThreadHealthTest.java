package catbox.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import outbox.testkit.ManualTime;

class ThreadHealthTest {

    private final ManualTime time = new ManualTime();
    private List<String> ended = List.of();
    private final ThreadHealth health = new ThreadHealth(() -> ended, time);

    @Test
    void isDownOnlyAfterAThreadHasBeenMissingForTheDelay() {
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        ended = List.of("orders: outbox-relay-heartbeat");
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        time.advance(ThreadHealth.DELAY.minusSeconds(1));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        time.advance(Duration.ofSeconds(1));
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("ended", ended).containsEntry("forSeconds", 60L);
    }

    @Test
    void startsAgainWhenAllThreadsAreAlive() {
        ended = List.of("orders: outbox-relay-1");
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        time.advance(Duration.ofSeconds(50));
        ended = List.of();
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        ended = List.of("orders: outbox-relay-2");
        time.advance(Duration.ofSeconds(50));

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }
}
