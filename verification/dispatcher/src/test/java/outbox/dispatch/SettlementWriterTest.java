package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.EventStatus;
import outbox.model.Settlement;
import outbox.spi.HotPath;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.testkit.ForwardingStore;
import outbox.testkit.RecordingListener;
import outbox.testkit.RecordingMetrics;
import outbox.testkit.World;

/** The writing of settlements, and what happens when the store does not take them. */
class SettlementWriterTest {

    private final World world = new World();

    @Test
    void writesManySettlementsAtOnce() {
        List<Integer> batches = new ArrayList<>();
        Instance instance = Instance.builder(world)
                .store(new ForwardingStore(world.store) {
                    @Override
                    public SettleResult settle(SettleRequest request) {
                        batches.add(request.items().size());
                        return super.settle(request);
                    }
                })
                .build();
        for (int n = 0; n < 20; n++) {
            instance.publish(World.event());
        }
        instance.work();

        assertThat(batches).containsExactly(20);
    }

    /** A retry may be due before the settlement that requests it has been dropped. */
    @Test
    void givesBackWhatItsOwnPollerClaimedWhileTheSettlementWasWritten() {
        List<Instance> polling = new ArrayList<>();
        Instance instance = Instance.builder(world)
                .store(new ForwardingStore(world.store) {
                    @Override
                    public SettleResult settle(SettleRequest request) {
                        SettleResult result = super.settle(request);
                        world.time.advance(Duration.ofSeconds(2));
                        polling.forEach(Instance::poll);
                        polling.clear();
                        return result;
                    }
                })
                .build();
        instance.listener().failingWith(new IllegalStateException("not yet"));
        EventEnvelope event = instance.publish(World.event());
        instance.deliverOne();
        polling.add(instance);

        instance.settle();

        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        instance.poll();
        instance.work();
        assertThat(world.status(event)).as("long before the lease is over").isEqualTo(EventStatus.DONE);
    }

    @Test
    void settlesAlthoughPublishersGoOnGivingClaimsBack() {
        AtomicInteger releases = new AtomicInteger();
        List<HotPath.Handover> whileEmpty = new ArrayList<>();
        Instance instance = Instance.builder(world)
                .with(c -> c.setHotQueueCapacity(1))
                .store(new ForwardingStore(world.store) {
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
    void countsOnlyWhatWasWritten() {
        RecordingMetrics metrics = new RecordingMetrics();
        Instance late = Instance.builder(world).metrics(metrics).build();
        Instance other = Instance.in(world);
        EventEnvelope lost = late.publish(World.event());
        EventEnvelope held = late.publish(World.event());
        late.deliverOne();
        late.deliverOne();
        world.time.advance(Instance.LEASE.plusSeconds(1));
        other.enqueueCold(lost, 0);
        other.deliverOne();

        late.settle();

        assertThat(metrics.facts()).containsOnlyOnce("success");
        assertThat(world.status(lost)).isEqualTo(EventStatus.NEW);
        assertThat(world.status(held)).isEqualTo(EventStatus.DONE);
        other.settle();
        assertThat(world.status(lost)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void recordsEveryFailedAttempt() {
        Instance instance = Instance.builder(world)
                .listener(new RecordingListener().failingWith(new Exception("1"), new Exception("2")))
                .with(config -> config.setRetryMaxAttempts(2))
                .build();
        EventEnvelope event = instance.publish(World.event());
        instance.work();
        world.time.advance(Duration.ofSeconds(1));
        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DEAD);
        assertThat(world.store.failedAttempts(event.eventId())).hasSize(2).allSatisfy(failed -> {
            assertThat(failed.nodeId()).startsWith("dispatcher-");
            assertThat(failed.destination()).isEqualTo("listeners");
            assertThat(failed.error()).endsWith(": " + failed.attempt());
        });
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
                .store(new ForwardingStore(world.store) {
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
        // It was released, so it need not wait for its lease to end.
        instance.settle();
        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(world.state(event).attempts()).isZero();
    }

    @Test
    void writesTheOthersWhenTheStoreChokesOnOne() {
        refuseOneOfThree();
    }

    @Test
    void aRefusedSettlementIsNotLoggedAsALostClaim() {
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger log = Logger.getLogger(SettlementWriter.class.getName());
        Handler keeper = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(keeper);
        try {
            refuseOneOfThree();
        } finally {
            log.removeHandler(keeper);
        }

        assertThat(lines).singleElement().asString().contains("cannot be settled");
    }

    private void refuseOneOfThree() {
        EventEnvelope poison = World.event();
        Instance instance = Instance.builder(world)
                .store(new ForwardingStore(world.store) {
                    @Override
                    public SettleResult settle(SettleRequest request) {
                        if (request.items().stream()
                                .anyMatch(item -> item.eventId().equals(poison.eventId()))) {
                            throw new ArithmeticException("a value that no column takes");
                        }
                        return super.settle(request);
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
                .store(new ForwardingStore(world.store) {
                    @Override
                    public SettleResult settle(SettleRequest request) {
                        for (SettleItem item : request.items()) {
                            if (item.settlement() instanceof Settlement.Retry retry
                                    && retry.error().contains("→")) {
                                throw new OutboxException("no such character in this encoding");
                            }
                        }
                        return super.settle(request);
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
        ForwardingStore store = failingToSettle(failures);
        try (OutboxDispatcher dispatcher = OutboxDispatcher.builder(store, store)
                .listeners(type -> List.of(event -> {}))
                .build()) {
            EventEnvelope event = world.publish(dispatcher, World.event());

            World.await("the event is done", () -> world.status(event) == EventStatus.DONE);
        }
        assertThat(failures).hasValue(0);
    }

    private ForwardingStore away(AtomicBoolean away) {
        return new ForwardingStore(world.store) {
            @Override
            public SettleResult settle(SettleRequest request) {
                if (away.get()) {
                    throw new OutboxException("the database is away");
                }
                return super.settle(request);
            }
        };
    }

    private ForwardingStore failingToSettle(AtomicInteger failures) {
        return new ForwardingStore(world.store) {
            @Override
            public SettleResult settle(SettleRequest request) {
                failWhile(failures);
                return super.settle(request);
            }
        };
    }

    private static void failWhile(AtomicInteger failures) {
        if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new OutboxException("the database is away");
        }
    }
}
