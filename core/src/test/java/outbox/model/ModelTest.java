package outbox.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.spi.ClaimRequest;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics;

/** The records that check or say something by themselves. */
final class ModelTest {

    private static final ClaimTerms TERMS = new ClaimTerms("token", Duration.ofSeconds(30));

    @Test
    void aCountSaysWhetherItStopped() {
        assertThat(new BoundedCount(0, false)).hasToString("0");
        assertThat(new BoundedCount(17, false)).hasToString("17");
        assertThat(new BoundedCount(1000, true)).hasToString("more than 1000");
    }

    @ParameterizedTest
    @CsvSource({"0, NEW", "1, DONE", "2, RETRY", "3, DEAD"})
    void aStatusHasTheCodeOfTheSpecification(int code, EventStatus status) {
        assertThat(EventStatus.of(code)).isEqualTo(status);
        assertThat(status.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 4})
    void aStatusRefusesOtherCodes(int code) {
        assertThatThrownBy(() -> EventStatus.of(code))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("0 (NEW)", "3 (DEAD)", "was " + code);
    }

    @Test
    void aClaimRefusesATokenThatItsColumnCannotHold() {
        Duration lease = Duration.ofSeconds(1);

        assertThat(new ClaimTerms("x".repeat(36), lease).token()).hasSize(36);
        for (String token : List.of("", "x".repeat(37))) {
            assertThatThrownBy(() -> new ClaimTerms(token, lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("1 to 36", "had " + token.length());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void aClaimRefusesALeaseThatIsNotPositive(long millis) {
        Duration lease = Duration.ofMillis(millis);

        assertThatThrownBy(() -> new ClaimTerms("token", lease))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("lease must be positive", "was " + lease);
    }

    @Test
    void aClaimRequestNamesWhatItRefuses() {
        assertThatThrownBy(() -> request(Duration.ofMillis(-1), 1, 1)).hasMessageContainingAll("skipRecent", "-0.001S");
        assertThatThrownBy(() -> request(Duration.ZERO, 0, 1)).hasMessage("eventsMax must be at least 1, was 0");
        assertThatThrownBy(() -> request(Duration.ZERO, 1, 0)).hasMessage("bytesMax must be at least 1, was 0");
        assertThat(request(Duration.ZERO, 1, 1).terms()).isEqualTo(TERMS);
    }

    private static ClaimRequest request(Duration skipRecent, int eventsMax, long bytesMax) {
        return new ClaimRequest(TERMS, skipRecent, eventsMax, bytesMax);
    }

    @Test
    void statisticsKeepTheirListWhenTheGivenOneChanges() {
        List<OutboxStatistics.TypeLatency> latencies = new ArrayList<>(
                List.of(new OutboxStatistics.TypeLatency("A", 1, Duration.ofMillis(5), Duration.ofMillis(5))));
        OutboxStatistics.Settled settled = new OutboxStatistics.Settled(1, 0, 0, latencies);
        latencies.clear();

        assertThat(settled.latencies()).hasSize(1);
    }
}
