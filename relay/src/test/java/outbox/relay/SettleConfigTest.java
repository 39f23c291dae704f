package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.dispatch.RetryPolicy;
import outbox.spi.SettleRequest.DoneRows;

class SettleConfigTest {

    private static final SettleConfig CONFIG = SettleConfig.defaults();

    @Test
    void hasTheDocumentedDefaults() {
        assertThat(CONFIG.maxAttempts()).isEqualTo(10);
        assertThat(CONFIG.doneRows()).isEqualTo(DoneRows.KEEP);
        assertThat(CONFIG.onDeadEvent()).isEqualTo(SettleConfig.OnDeadEvent.CONTINUE);
        assertThat(CONFIG.linger()).isEqualTo(Duration.ofMillis(50));
        for (int round = 0; round < 50; round++) {
            assertThat(CONFIG.retryPolicy().computeDelayMs(1)).isBetween(100L, 300L);
            assertThat(CONFIG.retryPolicy().computeDelayMs(30)).isBetween(30_000L, 90_000L);
        }
    }

    @Test
    void changesOneSettingAtATime() {
        RetryPolicy policy = attempts -> 7;
        assertThat(CONFIG.withMaxAttempts(3))
                .isEqualTo(new SettleConfig(
                        3,
                        CONFIG.retryPolicy(),
                        DoneRows.KEEP,
                        SettleConfig.OnDeadEvent.CONTINUE,
                        Duration.ofMillis(50),
                        null,
                        5));
        assertThat(CONFIG.withDeathsMax(3).deathsMax()).isEqualTo(3);
        assertThat(CONFIG.giveUpAfter()).isNull();
        assertThat(CONFIG.withGiveUpAfter(Duration.ofDays(1)).giveUpAfter()).isEqualTo(Duration.ofDays(1));
        assertThat(CONFIG.withRetryPolicy(policy).retryPolicy()).isSameAs(policy);
        assertThat(CONFIG.withDoneRows(DoneRows.DELETE).doneRows()).isEqualTo(DoneRows.DELETE);
        assertThat(CONFIG.withOnDeadEvent(SettleConfig.OnDeadEvent.PAUSE_KEY).onDeadEvent())
                .isEqualTo(SettleConfig.OnDeadEvent.PAUSE_KEY);
        assertThat(CONFIG.withLinger(Duration.ZERO).linger()).isZero();
        assertThat(CONFIG.withLinger(Duration.ofSeconds(10)).linger()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void namesTheSettingAndTheRange() {
        assertThatThrownBy(() -> CONFIG.withMaxAttempts(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("maxAttempts", "at least 1", "was 0");
        assertThatThrownBy(() -> CONFIG.withLinger(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("linger", "from 0 to 10 s");
        assertThatThrownBy(() -> CONFIG.withLinger(Duration.ofMillis(10_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("linger", "from 0 to 10 s", "PT10.001S");
        assertThatThrownBy(() -> CONFIG.withDeathsMax(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("deathsMax", "at least 3", "was 2");
        assertThatThrownBy(() -> CONFIG.withGiveUpAfter(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("giveUpAfter", "must be positive", "PT0S");
    }
}
