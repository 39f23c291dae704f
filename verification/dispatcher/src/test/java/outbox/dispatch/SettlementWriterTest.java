package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.EventStatus;
import outbox.model.Settlement;
import outbox.spi.HotPath;
import outbox.testkit.ForwardingDispatchStore;
import outbox.testkit.World;

/** The writing of settlements, and what happens when the store does not take them. */
class SettlementWriterTest {

    private final World world = new World();

    @Test
    void writesManySettlementsAtOnce() {
        List<Integer> batches = new ArrayList<>();
        Instance instance = Instance.builder(world)
                .store(new ForwardingDispatchStore(world.store.dispatchStore()) {
                    @Override
                    public int settle(List<Settlement> settlements) {
                        batches.add(settlements.size());
                        return super.settle(settlements);
                    }
                })
                .build();
        for (int n = 0; n < 20; n++) {
            instance.publish(World.event());
        }
        instance.work();

        assertThat(batches).containsExactly(20);
    }

    @Test
    void settlesAlthoughPublishersGoOnGivingClaimsBack() {
        AtomicInteger releases = new AtomicInteger();
        List<HotPath.Handover> whileEmpty = new ArrayList<>();
        Instance instance = Instance.builder(world)
                .with(c -> c.setHotQueueCapacity(1))
                .store(new ForwardingDispatchStore(world.store.dispatchStore()) {
                    @Override
                    public int release(Set<Claim> claims) {
                        if (releases.incrementAndGet() < 100) {
                            world.publish(() -> whileEmpty.get(0), World.event()); // Does not fit either.
                        }
                        return super.release(claims);
                    }
                })
                .build();
        whileEmpty.add(instance.dispatcher().prepare());
        EventEnvelope queued = instance.publish(World.event());
        world.publish(() -> whileEmpty.get(0), World.event());
        instance.settle();
        assertThat(releases).hasValue(1);

        instance.deliverOne();
        instance.settle();

        assertThat(world.status(queued)).isEqualTo(EventStatus.DONE);
        assertThat(releases).hasValue(2);
    }

    @Test
    void keepsWhatTheStoreDidNotTakeAndWritesItLater() {
        AtomicBoolean away = new AtomicBoolean(true);
        Instance instance = Instance.builder(world).store(away(away)).build();
        EventEnvelope first = instance.publish(World.event());
        instance.deliverOne();
        assertThatThrownBy(instance::settle).isInstanceOf(OutboxException.class);
        EventEnvelope second = instance.publish(World.event());
        instance.deliverOne();
        assertThatThrownBy(instance::settle).isInstanceOf(OutboxException.class);

        away.set(false);
        instance.settle();

        assertThat(world.status(first)).isEqualTo(EventStatus.DONE);
        assertThat(world.status(second)).isEqualTo(EventStatus.DONE);
        assertThat(instance.listener().ids()).containsExactly(first.eventId(), second.eventId());
    }

    @Test
    void keepsTheClaimsOfWhatTheStoreDidNotTake() {
        AtomicBoolean away = new AtomicBoolean(true);
        Instance instance = Instance.builder(world).store(away(away)).build();
        Instance other = Instance.in(world);
        EventEnvelope event = instance.publish(World.event());
        instance.deliverOne();
        assertThatThrownBy(instance::settle).isInstanceOf(OutboxException.class);
        for (int n = 0; n < 5; n++) {
            world.time.advance(Duration.ofSeconds(11));
            instance.renew();
            other.poll();
        }

        away.set(false);
        instance.settle();
        other.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(other.listener().events()).isEmpty();
    }

    @Test
    void isInFlightUntilTheSettlementIsWritten() {
        AtomicBoolean away = new AtomicBoolean(true);
        Instance instance = Instance.builder(world).store(away(away)).build();
        EventEnvelope event = instance.publish(World.event());
        instance.deliverOne();
        assertThatThrownBy(instance::settle).isInstanceOf(OutboxException.class);
        away.set(false);

        instance.enqueueCold(event, 0);
        instance.work();

        assertThat(instance.listener().ids()).containsExactly(event.eventId());
    }

    @Test
    void deliversNothingWhoseClaimTheStoreCannotConfirm() {
        AtomicInteger failures = new AtomicInteger(1);
        Instance instance = Instance.builder(world)
                .store(new ForwardingDispatchStore(world.store.dispatchStore()) {
                    @Override
                    public Set<Claim> renew(Set<Claim> claims, Duration lease) {
                        failWhile(failures);
                        return super.renew(claims, lease);
                    }
                })
                .build();
        EventEnvelope event = instance.publish(World.event());
        world.time.advance(Duration.ofSeconds(29));

        assertThatThrownBy(instance::deliverOne).isInstanceOf(OutboxException.class);
        assertThat(instance.listener().events()).isEmpty();
        // It was given back, so it need not wait for its lease to end.
        instance.settle();
        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(world.state(event).attempts()).isZero();
    }

    @Test
    void writesTheOthersWhenTheStoreChokesOnOne() {
        EventEnvelope poison = World.event();
        Instance instance = Instance.builder(world)
                .store(new ForwardingDispatchStore(world.store.dispatchStore()) {
                    @Override
                    public int settle(List<Settlement> settlements) {
                        if (settlements.stream()
                                .anyMatch(s -> s.claim().eventId().equals(poison.eventId()))) {
                            throw new ArithmeticException("a value that no column takes");
                        }
                        return super.settle(settlements);
                    }
                })
                .build();
        EventEnvelope before = instance.publish(World.event());
        instance.publish(poison);
        EventEnvelope after = instance.publish(World.event());
        instance.work();

        assertThat(world.status(before)).isEqualTo(EventStatus.DONE);
        assertThat(world.status(after)).isEqualTo(EventStatus.DONE);
        // Nothing is lost: its claim is not renewed any more, and it is found again.
        world.time.advance(Instance.LEASE);
        instance.renew();
        assertThat(world.isFree(poison)).isTrue();
    }

    @Test
    void writesAnErrorInPlainCharactersWhenTheDatabaseRefusesIt() {
        Instance instance = Instance.builder(world)
                .store(new ForwardingDispatchStore(world.store.dispatchStore()) {
                    @Override
                    public int settle(List<Settlement> settlements) {
                        for (Settlement settlement : settlements) {
                            if (settlement instanceof Settlement.Retry retry
                                    && retry.error().contains("→")) {
                                throw new OutboxException("no such character in this encoding");
                            }
                        }
                        return super.settle(settlements);
                    }
                })
                .build();
        instance.listener().failingWith(new IllegalStateException("café → tea"));
        EventEnvelope failing = instance.publish(World.event());
        instance.deliverOne();
        EventEnvelope healthy = instance.publish(World.event());
        instance.work();

        assertThat(world.status(healthy)).isEqualTo(EventStatus.DONE);
        assertThat(world.status(failing)).isEqualTo(EventStatus.RETRY);
        assertThat(world.state(failing).lastError()).contains("caf? ? tea");
    }

    @Test
    void itsLoopSurvivesAStoreThatFails() {
        AtomicInteger failures = new AtomicInteger(1);
        try (OutboxDispatcher dispatcher = OutboxDispatcher.builder(failingToSettle(failures))
                .listeners(type -> List.of(event -> {}))
                .build()) {
            EventEnvelope event = world.publish(dispatcher, World.event());

            World.await("the event is done", () -> world.status(event) == EventStatus.DONE);
        }
        assertThat(failures).hasValue(0);
    }

    private ForwardingDispatchStore away(AtomicBoolean away) {
        return new ForwardingDispatchStore(world.store.dispatchStore()) {
            @Override
            public int settle(List<Settlement> settlements) {
                if (away.get()) {
                    throw new OutboxException("the database is away");
                }
                return super.settle(settlements);
            }
        };
    }

    private ForwardingDispatchStore failingToSettle(AtomicInteger failures) {
        return new ForwardingDispatchStore(world.store.dispatchStore()) {
            @Override
            public int settle(List<Settlement> settlements) {
                failWhile(failures);
                return super.settle(settlements);
            }
        };
    }

    private static void failWhile(AtomicInteger failures) {
        if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new OutboxException("the database is away");
        }
    }
}
