package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.Claim;
import outbox.model.EventStatus;
import outbox.testkit.ForwardingStore;
import outbox.testkit.RecordingListener;
import outbox.testkit.StoreFixture;
import outbox.testkit.World;

/** Two instances on one store: who may deliver, who may settle. */
class ClaimKeepingTest {

    private static final Duration PAST_LEASE = Instance.LEASE.plusSeconds(1);

    private final World world = new World();

    @Test
    void keepsAnEventWhileItWaits() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope hot = owner.publish(World.event());
        EventEnvelope cold = World.event();
        world.store(cold);
        owner.poll();

        for (int n = 0; n < 10; n++) {
            world.time.advance(Duration.ofSeconds(11));
            owner.renew();
            other.poll();
        }
        other.work();
        owner.work();

        assertThat(other.listener().events()).isEmpty();
        assertThat(owner.listener().ids()).containsExactly(hot.eventId(), cold.eventId());
        assertThat(world.status(hot)).isEqualTo(EventStatus.DONE);
        assertThat(world.status(cold)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void keepsAnEventThatIsDeliveredUntilThatIsWritten() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = owner.publish(World.event());
        owner.deliverOne();

        for (int n = 0; n < 5; n++) {
            world.time.advance(Duration.ofSeconds(11));
            owner.renew();
            other.poll();
        }
        other.work();
        owner.settle();

        assertThat(other.listener().events()).isEmpty();
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void keepsAnEventThatAWorkerClaimedByItself() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = World.event();
        world.store(event);
        owner.enqueueCold(event, 0);
        owner.deliverOne();

        for (int n = 0; n < 5; n++) {
            world.time.advance(Duration.ofSeconds(11));
            owner.renew();
            other.poll();
        }

        assertThat(other.deliverOne()).isFalse();
    }

    @Test
    void renewsNothingAnyMoreOnceItIsSettled() {
        List<Set<Claim>> renewed = new ArrayList<>();
        Instance instance =
                Instance.builder(world).store(recordingRenewals(renewed)).build();
        instance.publish(World.event());
        instance.work();
        world.time.advance(Duration.ofSeconds(11));
        instance.renew();

        assertThat(renewed).isEmpty();
    }

    @Test
    void renewsAClaimOnceAThirdOfItsLeaseHasPassed() {
        List<Set<Claim>> renewed = new ArrayList<>();
        Instance instance =
                Instance.builder(world).store(recordingRenewals(renewed)).build();
        instance.publish(World.event());
        world.time.advance(Duration.ofSeconds(9));
        instance.renew();
        assertThat(renewed).isEmpty();
        world.time.advance(Duration.ofSeconds(1));
        instance.renew();
        instance.renew();

        assertThat(renewed).hasSize(1);
    }

    @Test
    void asksTheStoreBeforeADeliveryOnlyWhenAClaimHasGrownOld() {
        List<Set<Claim>> renewed = new ArrayList<>();
        Instance instance =
                Instance.builder(world).store(recordingRenewals(renewed)).build();
        instance.publish(World.event());
        world.time.advance(Duration.ofSeconds(22));
        instance.deliverOne();
        assertThat(renewed).isEmpty();
        instance.publish(World.event());
        world.time.advance(Duration.ofSeconds(23));
        instance.deliverOne();

        assertThat(renewed).hasSize(1);
        assertThat(instance.listener().events()).hasSize(2);
    }

    private ForwardingStore recordingRenewals(List<Set<Claim>> renewed) {
        return new ForwardingStore(world.store) {
            @Override
            public Set<Claim> renew(Set<Claim> claims, Duration lease) {
                renewed.add(claims);
                return super.renew(claims, lease);
            }
        };
    }

    @Test
    void doesNotDeliverAnEventThatAnotherInstanceTookWhileItWaited() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = owner.publish(World.event());
        world.time.advance(PAST_LEASE);
        other.poll();

        owner.work();
        other.work();

        assertThat(owner.listener().events()).isEmpty();
        assertThat(other.listener().ids()).containsExactly(event.eventId());
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void doesNotDeliverAnEventThatAnotherInstanceHasSettledMeanwhile() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = World.event();
        world.store(event);
        owner.poll();
        world.time.advance(PAST_LEASE);
        other.poll();
        other.work();

        owner.work();

        assertThat(owner.listener().events()).isEmpty();
    }

    @Test
    void deliversAnEventUnderAnExpiredClaimThatNobodyTook() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = owner.publish(World.event());
        world.time.advance(PAST_LEASE);

        owner.deliverOne();
        other.poll();
        other.work();
        owner.settle();

        assertThat(owner.listener().ids()).containsExactly(event.eventId());
        assertThat(other.listener().events()).isEmpty();
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void aLateSettlementChangesNothing() {
        Instance late = Instance.in(world);
        Instance other = Instance.builder(world)
                .listener(new RecordingListener().failingWith(new Exception("broker down")))
                .build();
        EventEnvelope event = late.publish(World.event());
        late.deliverOne();
        world.time.advance(PAST_LEASE);
        other.poll();
        other.work();

        late.settle();

        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        assertThat(world.state(event).attempts()).isEqualTo(1);
    }

    @Test
    void confirmsAnEventWhoseTransactionTookLongerThanTheLease() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = publishSlowly(owner);

        owner.deliverOne();
        other.poll();
        assertThat(other.deliverOne()).isFalse();
        owner.settle();

        assertThat(owner.listener().ids()).containsExactly(event.eventId());
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void dropsAnEventOfASlowTransactionThatAnotherInstanceTook() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = publishSlowly(owner);
        other.poll();

        owner.work();
        other.work();

        assertThat(owner.listener().events()).isEmpty();
        assertThat(other.listener().ids()).containsExactly(event.eventId());
    }

    private EventEnvelope publishSlowly(Instance instance) {
        EventEnvelope event = World.event();
        try (StoreFixture.Session session = world.store.newSession()) {
            session.begin();
            new OutboxClient(session.store(), instance.dispatcher()).publish(event);
            world.time.advance(PAST_LEASE);
            session.commit();
        }
        return event;
    }

    @Test
    void givesBackASecondClaimOnAnEventThatIsInFlight() {
        Instance instance = Instance.in(world);
        EventEnvelope event = instance.publish(World.event());
        instance.deliverOne();
        // Its keeper was held up, so its own poller finds the event expired before the settlement is written.
        world.time.advance(PAST_LEASE);
        instance.poll();

        instance.work();

        assertThat(instance.listener().ids()).containsExactly(event.eventId());
        assertThat(world.isFree(event)).isTrue();
        instance.poll();
        instance.work();
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void keepsASecondClaimWhenItLetsGoOfTheFirst() {
        Instance instance = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = instance.publish(World.event());
        instance.deliverOne();
        world.time.advance(PAST_LEASE);
        instance.poll();
        instance.settle();

        for (int n = 0; n < 5; n++) {
            world.time.advance(Duration.ofSeconds(11));
            instance.renew();
            other.poll();
        }

        assertThat(other.deliverOne()).isFalse();
        instance.work();
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void anInstanceThatCrashedLosesNothing() {
        Instance crashed = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope queued = crashed.publish(World.event());
        other.poll();
        assertThat(other.deliverOne()).isFalse();
        world.time.advance(PAST_LEASE);

        other.poll();
        other.work();

        assertThat(other.listener().ids()).containsExactly(queued.eventId());
        assertThat(world.state(queued).attempts()).isZero();
    }

    @Test
    void aWallClockThatIsSetBackDoesNotProlongAClaim() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = owner.publish(World.event());
        world.time.advance(PAST_LEASE);
        other.poll();
        // Only people's time is set back; the lease was counted by the other clock, and is over.
        world.time.jumpWallClock(Duration.ofHours(-1));

        owner.work();

        assertThat(owner.listener().events()).isEmpty();
        other.work();
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void doesNotDeliverAnEventWhoseClaimItFoundLost() {
        Instance owner = Instance.in(world);
        Instance other = Instance.in(world);
        EventEnvelope event = owner.publish(World.event());
        // The database's clock is set forward, so the lease is over there long before it is over here.
        world.time.jumpWallClock(Duration.ofHours(1));
        other.poll();
        world.time.advance(Duration.ofSeconds(11));
        owner.renew();

        owner.work();
        other.work();

        assertThat(owner.listener().events()).isEmpty();
        assertThat(other.listener().ids()).containsExactly(event.eventId());
    }
}
