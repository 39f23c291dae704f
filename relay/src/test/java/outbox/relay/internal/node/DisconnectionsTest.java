package outbox.relay.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.Member;

/** A connection that has ended means a death only when all the other evidence is there, too. */
class DisconnectionsTest {

    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final Member OTHER = new Member("session", "other", 1, "", "");

    private final Disconnections disconnections = new Disconnections(HEARTBEAT);

    @Test
    void aMemberThatIsSilentLongEnoughIsConfirmedAtTheSecondSighting() {
        beatAlone(3_000);
        assertThat(seen(4_000, 2_000)).isEmpty();
        assertThat(seen(4_250, 2_250)).containsExactly(OTHER);
    }

    @Test
    void aMemberThatHasNotMissedItsHeartbeatsMayConnectAnew() {
        beatAlone(3_000);
        assertThat(seen(4_000, 1_250)).isEmpty();
        assertThat(seen(4_250, 1_500)).isEmpty();
        assertThat(seen(4_750, 2_000)).containsExactly(OTHER);
    }

    @Test
    void aNodeWhoseOwnHeartbeatsHadAGapKnowsNothingOfTheOthers() {
        assertThat(seen(0, 5_000)).isEmpty();
        assertThat(seen(1_000, 6_000)).isEmpty();
        assertThat(seen(2_000, 7_000)).containsExactly(OTHER);

        disconnections.forget();

        assertThat(seen(2_250, 7_250)).isEmpty();
        assertThat(seen(4_000, 9_000)).isEmpty();
        assertThat(seen(4_250, 9_250)).containsExactly(OTHER);
        assertThat(seen(6_500, 11_500)).as("after a gap").isEmpty();
        assertThat(seen(6_750, 11_750)).isEmpty();
    }

    private void beatAlone(long untilMillis) {
        for (long at = 0; at <= untilMillis; at += HEARTBEAT.toMillis()) {
            assertThat(disconnections.confirmed(view(List.of(), Map.of()), nanos(at)))
                    .isEmpty();
        }
    }

    /** What a heartbeat confirms that finds the connection of the other ended. */
    private List<Member> seen(long atMillis, long silentMillis) {
        MemberState state = new MemberState(Duration.ofMillis(silentMillis), HEARTBEAT, true, true);
        return disconnections.confirmed(view(List.of(OTHER), Map.of(OTHER.session(), state)), nanos(atMillis));
    }

    private static ClusterView view(List<Member> members, Map<String, MemberState> states) {
        return new ClusterView(members, List.of(), new ClusterLayout(ClaimStrategy.PARTITIONED, 6), null, 0, states);
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
