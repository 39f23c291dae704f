package outbox.relay.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.LayoutMismatchException;
import outbox.OutboxException;
import outbox.relay.ClusterConfig;
import outbox.relay.Line;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.Member;
import outbox.testkit.InMemoryStore;
import outbox.testkit.ManualTime;

class MembershipTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(9);
    private static final Duration A_LITTLE = Duration.ofMillis(1);

    private final ManualTime time = new ManualTime();
    private final InMemoryStore store = new InMemoryStore(time);
    private final Line line = new Line();
    private final AtomicInteger sessions = new AtomicInteger();
    private final Membership membership = membership(ClaimStrategy.PARTITIONED);

    @Test
    void isNoMemberBeforeItJoins() {
        assertThat(membership.session()).isNull();
        assertThat(membership.isHeld("session-1")).isFalse();
        assertThat(membership.heartbeat(true)).isEmpty();
        assertThat(line.calls("heartbeat")).isZero();
    }

    @Test
    void holdsItsSessionForNineTenthsOfTheTimeout() {
        String session = membership.join();

        time.advance(LEASE.minus(A_LITTLE));
        assertThat(membership.isHeld(session)).isTrue();
        time.advance(A_LITTLE);
        assertThat(membership.isHeld(session)).isFalse();
    }

    @Test
    void stopsByItselfBeforeTheStoreLetsAnotherTakeOver() {
        String session = membership.join();
        store.clusterStore().acquire(Set.of(0), session, new ClusterLayout(ClaimStrategy.PARTITIONED, 6));
        String other = membership(ClaimStrategy.PARTITIONED).join();

        while (membership.isHeld(session)) {
            assertThat(store.clusterStore().acquire(Set.of(0), other, new ClusterLayout(ClaimStrategy.PARTITIONED, 6)))
                    .isEmpty();
            time.advance(Duration.ofMillis(100));
        }
    }

    @Test
    void countsFromBeforeItAskedToJoin() {
        line.before(name -> time.advance(Duration.ofSeconds(5)));
        String session = membership.join();

        time.advance(LEASE.minusSeconds(5));

        assertThat(membership.isHeld(session)).isFalse();
    }

    @Test
    void countsFromBeforeItAskedForABeat() {
        String session = membership.join();
        line.before(name -> time.advance(Duration.ofSeconds(5)));

        assertThat(membership.heartbeat(true)).isPresent();

        time.advance(Duration.ofMillis(3_999));
        assertThat(membership.isHeld(session)).isTrue();
        time.advance(A_LITTLE);
        assertThat(membership.isHeld(session)).isFalse();
    }

    @Test
    void prolongsItsLeaseWithEachBeat() {
        String session = membership.join();

        for (int heartbeat = 0; heartbeat < 10; heartbeat++) {
            time.advance(Duration.ofSeconds(8));
            assertThat(membership.heartbeat(true)).isPresent();
        }

        assertThat(membership.isHeld(session)).isTrue();
        assertThat(membership.session()).isEqualTo(session);
    }

    @Test
    void doesNotCareForTheWallClock() {
        ManualTime own = new ManualTime();
        Membership jumping = new Membership(
                store.clusterStore(),
                config(),
                new ClusterLayout(ClaimStrategy.PARTITIONED, 6),
                own,
                () -> new Member("jumping", "node", 1, "1", ""));
        String session = jumping.join();

        own.jumpWallClock(Duration.ofDays(365));
        assertThat(jumping.isHeld(session)).isTrue();
        own.jumpWallClock(Duration.ofDays(-3_650));
        assertThat(jumping.isHeld(session)).isTrue();
        assertThat(jumping.heartbeat(true)).isPresent();
        own.advance(LEASE);
        assertThat(jumping.isHeld(session)).isFalse();
    }

    @Test
    void isNoMemberAnyMoreWhenABeatComesTooLate() {
        String session = membership.join();
        time.advance(TIMEOUT);

        assertThat(membership.heartbeat(true)).isEmpty();

        assertThat(membership.session()).isNull();
        assertThat(membership.isHeld(session)).isFalse();
    }

    @Test
    void keepsWhatIsLeftOfItsLeaseWhenABeatFails() {
        String session = membership.join();
        time.advance(Duration.ofSeconds(5));
        line.cut();

        assertThatThrownBy(() -> membership.heartbeat(true)).isInstanceOf(OutboxException.class);

        assertThat(membership.isHeld(session)).isTrue();
        time.advance(Duration.ofSeconds(4));
        assertThat(membership.isHeld(session)).isFalse();
        assertThat(membership.session()).isEqualTo(session);
    }

    @Test
    void saysNothingOfOtherSessions() {
        membership.join();

        assertThat(membership.isHeld("another")).isFalse();
    }

    @Test
    void comesBackAsAnotherSession() {
        String first = membership.join();
        time.advance(TIMEOUT);
        membership.heartbeat(true);

        String second = membership.join();

        assertThat(second).isNotEqualTo(first);
        assertThat(membership.isHeld(second)).isTrue();
        assertThat(membership.isHeld(first)).isFalse();
    }

    @Test
    void insistsOnItsTermsWhenItJoinsFirst() {
        membership.join();

        assertThatThrownBy(() -> membership(ClaimStrategy.PRIMARY).join()).isInstanceOf(LayoutMismatchException.class);
    }

    @Test
    void followsWhateverTheOthersAgreedOnWhenItComesBack() {
        membership.join();
        store.clusterAdmin().changeStrategy(ClaimStrategy.PRIMARY, "an operator");
        time.advance(TIMEOUT);
        membership.heartbeat(true);

        membership.join();

        assertThat(membership.heartbeat(true).orElseThrow().terms().strategy()).isEqualTo(ClaimStrategy.PRIMARY);
    }

    @Test
    void keepsInsistingUntilItWasAcceptedOnce() {
        membership(ClaimStrategy.PRIMARY).join();

        assertThatThrownBy(membership::join).isInstanceOf(LayoutMismatchException.class);
        assertThatThrownBy(membership::join).isInstanceOf(LayoutMismatchException.class);
        assertThat(membership.session()).isNull();
    }

    @Test
    void freesItsSlotsWhenItLeaves() {
        ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
        String session = membership.join();
        store.clusterStore().acquire(Set.of(3), session, terms);
        String other = membership(ClaimStrategy.PARTITIONED).join();

        membership.leave();

        assertThat(membership.isHeld(session)).isFalse();
        assertThat(membership.session()).isNull();
        assertThat(store.clusterStore().acquire(Set.of(3), other, terms))
                .extracting(each -> each.ownership().epoch())
                .containsExactly(2L);
    }

    @Test
    void leavesOnlyOnce() {
        membership.join();

        membership.leave();
        membership.leave();

        assertThat(line.calls("leave")).isEqualTo(1);
    }

    @Test
    void holdsNothingAnyMoreWhenLeavingFails() {
        String session = membership.join();
        line.cut();

        assertThatThrownBy(membership::leave).isInstanceOf(OutboxException.class);

        assertThat(membership.isHeld(session)).isFalse();
    }

    // ---- while others could end it -------------------------------------------------------------------------------

    @Test
    void isDisputedOnceOthersMightEndIt() {
        membership(ClaimStrategy.PARTITIONED).join();
        String session = membership.join();
        membership.heartbeat(true);

        time.advance(Duration.ofMillis(1_799));
        assertThat(membership.isUndisputed(session)).isTrue();
        time.advance(A_LITTLE);
        assertThat(membership.isUndisputed(session)).isFalse();
        assertThat(membership.isHeld(session)).isTrue();
        assertThat(membership.sinceHeartbeat()).isEqualTo(Duration.ofMillis(1_800));
    }

    @Test
    void isDisputedThoughItIsAloneSinceAnotherMayJoin() {
        String session = membership.join();
        membership.heartbeat(true);

        time.advance(Duration.ofMillis(1_800));

        assertThat(membership.isUndisputed(session)).isFalse();
        assertThat(membership.isHeld(session)).isTrue();
    }

    @Test
    void isUndisputedForItsWholeLeaseOnAStoreThatSeesNoConnections() {
        membership(ClaimStrategy.PARTITIONED).join();
        Membership unwatched = membership(new Unwatched(store.clusterStore()), ClaimStrategy.PARTITIONED);
        String session = unwatched.join();
        unwatched.heartbeat(true);

        time.advance(LEASE.minus(A_LITTLE));
        assertThat(unwatched.isUndisputed(session)).isTrue();
        time.advance(A_LITTLE);
        assertThat(unwatched.isUndisputed(session)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {900, 1_800, 3_000, 4_400})
    void isUndisputedWhileItsHeartbeatsAreSlowAndAnswered(long millis) {
        membership(ClaimStrategy.PARTITIONED).join();
        String session = membership.join();
        membership.heartbeat(true);
        AtomicInteger disputed = new AtomicInteger();
        line.before(name -> {
            for (long passed = 0; name.equals("heartbeat") && passed < millis; passed += 100) {
                time.advance(Duration.ofMillis(100));
                disputed.addAndGet(membership.isUndisputed(session) ? 0 : 1);
            }
        });
        membership.heartbeat(true); // The first slow one comes unexpected.
        membership.heartbeat(true);
        disputed.set(0);

        for (int heartbeat = 0; heartbeat < 10; heartbeat++) {
            assertThat(membership.heartbeat(true)).isPresent();
            time.advance(Duration.ofMillis(Math.max(0, 1_000 - millis)));
        }

        assertThat(disputed).hasValue(0);
    }

    @Test
    void isBackToItsOwnIntervalSoonAfterSlowHeartbeats() {
        membership(ClaimStrategy.PARTITIONED).join();
        String session = membership.join();
        line.before(name -> time.advance(Duration.ofSeconds(4)));
        membership.heartbeat(true);
        line.before(name -> {});

        for (int heartbeat = 0; heartbeat < 5; heartbeat++) {
            membership.heartbeat(true);
        }

        time.advance(Duration.ofMillis(1_800));
        assertThat(membership.isUndisputed(session)).isFalse();
    }

    @Test
    void isNeverUndisputedWhenOthersMayEndItAlready() {
        Membership other = membership(ClaimStrategy.PARTITIONED);
        other.join();
        String session = membership.join();
        AtomicInteger slow = new AtomicInteger();
        line.before(name -> time.advance(Duration.ofMillis(slow.get())));
        for (int took : new int[] {0, 4_000, 4_000, 3_000, 0}) {
            slow.set(took);
            assertThat(membership.heartbeat(true)).isPresent();
            slow.set(0);
            // One more is written, and its answer is lost with the connection.
            line.after(name -> {
                throw new OutboxException("the answer was lost");
            });
            assertThatThrownBy(() -> membership.heartbeat(true)).isInstanceOf(OutboxException.class);
            line.after(name -> {});
            store.disconnect(session);
            for (int n = 0; n < 50; n++) {
                MemberState seen = other.heartbeat(true).orElseThrow().states().get(session);
                if (seen != null && seen.isMissing()) {
                    assertThat(membership.isUndisputed(session)).isFalse();
                }
                time.advance(Duration.ofMillis(100));
            }
        }
    }

    /** A store that cannot see connections. */
    private record Unwatched(ClusterStore store) implements InvocationHandler {

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
            return method.getName().equals("isWatched") ? false : method.invoke(store, args);
        }
    }

    private Membership membership(Unwatched unwatched, ClaimStrategy strategy) {
        ClusterStore port = (ClusterStore) Proxy.newProxyInstance(
                ClusterStore.class.getClassLoader(), new Class<?>[] {ClusterStore.class}, unwatched);
        return membership(port, strategy);
    }

    private Membership membership(ClaimStrategy strategy) {
        return membership(store.clusterStore(), strategy);
    }

    private Membership membership(ClusterStore port, ClaimStrategy strategy) {
        return new Membership(
                line.over(ClusterStore.class, port),
                config(),
                new ClusterLayout(strategy, 6),
                time,
                () -> new Member("session-" + sessions.incrementAndGet(), "node", 1, "1", ""));
    }

    private static ClusterConfig config() {
        return ClusterConfig.of("node").withHeartbeat(Duration.ofSeconds(1), TIMEOUT);
    }
}
