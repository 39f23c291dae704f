package outbox.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DeadFilterTest {

    private static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");
    private static final Instant TUESDAY = Instant.parse("2026-03-03T00:00:00Z");

    @Test
    void asksForNothingAtFirst() {
        assertThat(DeadFilter.all()).isEqualTo(new DeadFilter(null, null, null, null, null, null));
    }

    @Test
    void collectsWhatIsAskedFor() {
        assertThat(DeadFilter.all()
                        .ofType("A")
                        .ofAggregate("u-1")
                        .ofTenant("t-1")
                        .withErrorContaining("timeout")
                        .createdBetween(MONDAY, TUESDAY))
                .isEqualTo(new DeadFilter("A", "u-1", "t-1", "timeout", MONDAY, TUESDAY));
    }

    @Test
    void collectsInAnyOrder() {
        assertThat(DeadFilter.all()
                        .createdBetween(MONDAY, TUESDAY)
                        .withErrorContaining("timeout")
                        .ofTenant("t-1")
                        .ofAggregate("u-1")
                        .ofType("A"))
                .isEqualTo(new DeadFilter("A", "u-1", "t-1", "timeout", MONDAY, TUESDAY));
    }

    @Test
    void leavesTheFilterItBeganWithAsItWas() {
        DeadFilter ofType = DeadFilter.all().ofType("A");
        DeadFilter narrower = ofType.ofTenant("t-1");

        assertThat(ofType.tenantId()).isNull();
        assertThat(narrower.eventType()).isEqualTo("A");
        assertThat(DeadFilter.all().eventType()).isNull();
    }
}
