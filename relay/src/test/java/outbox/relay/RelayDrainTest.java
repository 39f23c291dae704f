package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.Pause;

/** A paused node hands over what it has, and takes nothing until it is resumed. */
class RelayDrainTest {

    private static final Integer[] ALL_SIX = {0, 1, 2, 3, 4, 5};

    private final Rig rig = new Rig();

    @Test
    void handsItsPartitionsToTheOthersInGoodOrder() {
        RigNode a = rig.start("a");
        RigNode b = rig.start("b");
        rig.passSeconds(5);
        assertThat(a.loops()).hasSize(3);

        rig.pause(Pause.Kind.NODE, "a");
        List<EventEnvelope> events = rig.publishKeys(60);
        rig.passSeconds(5);

        assertThat(a.loops()).isEmpty();
        assertThat(b.loops()).containsExactly(ALL_SIX);
        rig.assertDeliveredOnce(events);
        assertThat(a.notified(RelayEvent.PartitionLost.class)).isEmpty();
    }

    @Test
    void takesItsShareAgainWhenItIsResumed() {
        RigNode a = rig.start("a");
        RigNode b = rig.start("b");
        rig.pause(Pause.Kind.NODE, "a");
        rig.passSeconds(5);
        assertThat(b.loops()).containsExactly(ALL_SIX);

        rig.resume(Pause.Kind.NODE, "a");
        rig.passSeconds(5);

        assertThat(a.loops()).hasSize(3);
        assertThat(b.loops()).hasSize(3);
    }

    @Test
    void aNodeThatStartsDrainedTakesNothing() {
        rig.pause(Pause.Kind.NODE, "a");
        RigNode a = rig.settled("a");

        assertThat(a.loops()).isEmpty();
        assertThat(a.line.calls("acquire")).isZero();
    }

    @Test
    void nothingIsDeliveredWhileEveryNodeIsDrained() {
        RigNode a = rig.settled("a");
        rig.pause(Pause.Kind.NODE, "a");
        rig.passSeconds(5);
        List<EventEnvelope> events = rig.publishKeys(10);
        rig.passSeconds(5);
        assertThat(a.destination.eventIds()).isEmpty();

        rig.resume(Pause.Kind.NODE, "a");
        rig.passSeconds(5);

        rig.assertDeliveredOnce(events);
    }

    @Test
    void aPrimaryThatIsDrainedStandsBy() {
        rig.settings = config -> config.withStrategy(ClaimStrategy.PRIMARY);
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        assertThat(a.loops()).containsExactly(ALL_SIX);

        rig.pause(Pause.Kind.NODE, "a");
        rig.passSeconds(5);

        assertThat(a.loops()).isEmpty();
        assertThat(b.loops()).containsExactly(ALL_SIX);
    }

    @Test
    void claimsNothingByLeaseUntilItIsResumed() {
        rig.settings = config -> config.withStrategy(ClaimStrategy.LEASE);
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        rig.pause(Pause.Kind.NODE, "a");
        rig.pass(Duration.ofSeconds(3));
        int claims = a.line.calls("claim");

        List<EventEnvelope> events = rig.publishKeys(20);
        rig.passSeconds(3);

        assertThat(a.line.calls("claim")).isEqualTo(claims);
        assertThat(b.destination.eventIds()).hasSize(20);
        rig.assertDeliveredOnce(events);
        rig.resume(Pause.Kind.NODE, "a");
        rig.passSeconds(3);
        assertThat(a.loops()).containsExactly(0);
    }

    @Test
    void reportsWhatIsPaused() {
        RigNode a = rig.settled("a");
        rig.pause(Pause.Kind.KEY, "k");
        rig.passSeconds(2);

        assertThat(a.relay.pauses()).extracting(Pause::subject).containsExactly(new Pause.Subject(Pause.Kind.KEY, "k"));
    }
}
