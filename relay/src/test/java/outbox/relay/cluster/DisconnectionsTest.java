package outbox.relay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.model.ClaimStrategy;
import outbox.model.ClusterView;
import outbox.model.ClusterView.MemberState;
import outbox.model.Member;
import outbox.model.RelayTerms;

class DisconnectionsTest {

    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final Member GONE = new Member("gone", "gone", 1, "", "");

    private final Disconnections disconnections = new Disconnections(HEARTBEAT);
    private long nowNanos = -7;

    @Test
    void confirmsADeathOnceItHasBeatenForAsLongAsTheOtherMayBeSilent() {
        assertThat(afterBeat(0)).isEmpty();
        assertThat(afterBeat(1_000)).isEmpty();
        assertThat(afterBeat(999)).isEmpty();
        assertThat(afterBeat(1)).containsExactly(GONE);
    }

    @Test
    void countsAnewAfterAHeartbeatThatFailed() {
        afterBeat(0);
        afterBeat(1_500);
        disconnections.forget();

        assertThat(afterBeat(600)).isEmpty();
        assertThat(afterBeat(1_900)).isEmpty();
        assertThat(afterBeat(200)).containsExactly(GONE);
    }

    @Test
    void countsAnewAfterAHeartbeatThatTookSoLongThatItsOwnWereMissed() {
        afterBeat(0);
        afterBeat(2_000);

        assertThat(afterBeat(2_001)).isEmpty();
        assertThat(afterBeat(1_900)).isEmpty();
        assertThat(afterBeat(200)).containsExactly(GONE);
    }

    private List<Member> afterBeat(long millis) {
        nowNanos += Duration.ofMillis(millis).toNanos();
        ClusterView view = new ClusterView(
                List.of(GONE),
                List.of(),
                new RelayTerms(ClaimStrategy.PARTITIONED, 6),
                null,
                0,
                Map.of(GONE.session(), new MemberState(Duration.ofSeconds(5), HEARTBEAT, true, true)));
        return disconnections.confirmed(view, nowNanos);
    }
}
