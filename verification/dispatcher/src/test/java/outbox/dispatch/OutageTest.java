package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.DestinationUnavailableException;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.registry.DestinationListener;
import outbox.spi.Destination;
import outbox.spi.PlainClaimStore;
import outbox.testkit.FakeConnections;
import outbox.testkit.ManualTime;
import outbox.testkit.PlainStore;
import outbox.testkit.RecordingDestination;
import outbox.testkit.World;

/** What an outage of a destination does to the events that wait for it: nothing, however long it lasts. */
class OutageTest {

    /** Longer than ten attempts with the delays that {@link Instance} has, by far. */
    private static final Duration LONGER_THAN_ALL_RETRIES = Duration.ofMinutes(10);

    private static final Duration RECOVERY_MAX = Duration.ofSeconds(5);

    private final World world = new World();
    private final RecordingDestination destination = new RecordingDestination();

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 500})
    void allEventsSurviveAnOutageLongerThanAllRetriesAndAreDeliveredAtOnceAfterIt(int pending) {
        Instance instance = deliveringTo(destination);
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        down();
        List<EventEnvelope> events = publish(instance, pending);
        drive.run(LONGER_THAN_ALL_RETRIES);

        assertThat(events).allSatisfy(event -> {
            assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
            assertThat(world.state(event).attempts()).isZero();
            assertThat(world.state(event).lastError()).contains("connection refused");
        });
        assertThat(destination.deliveries()).as("probes, one every 4 s at most").hasSizeBetween(100, 160);

        up();
        drive.run(RECOVERY_MAX);

        assertThat(events).allSatisfy(event -> {
            assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
            assertThat(world.state(event).attempts()).isZero();
        });
    }

    @Test
    void anOutageThatBeginsWhileEventsAreDeliveredCostsNoAttemptEither() {
        Instance instance = deliveringTo(destination);
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        List<EventEnvelope> before = publish(instance, 3);
        drive.run(Duration.ofSeconds(1));
        assertThat(before).allSatisfy(event -> assertThat(world.status(event)).isEqualTo(EventStatus.DONE));

        down();
        List<EventEnvelope> during = publish(instance, 3);
        drive.run(LONGER_THAN_ALL_RETRIES);
        up();
        drive.run(RECOVERY_MAX);

        assertThat(during).allSatisfy(event -> {
            assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
            assertThat(world.state(event).attempts()).isZero();
        });
    }

    @Test
    void theEventsOfAnotherDestinationAreDeliveredMeanwhile() {
        RecordingDestination other = new RecordingDestination();
        Instance instance = Instance.in(world);
        instance.listeners().register("OrderPlaced", listener(destination));
        instance.listeners().register("OrderPaid", listener(other));
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        down();
        publish(instance, 300);
        drive.run(Duration.ofSeconds(30));
        assertThat(destination.deliveries()).hasSizeLessThan(20);

        EventEnvelope paid = EventEnvelope.ofJson("OrderPaid", "{}");
        instance.publish(paid);
        drive.run(Duration.ZERO);

        assertThat(world.status(paid)).isEqualTo(EventStatus.DONE);
        assertThat(other.eventIds()).containsExactly(paid.eventId());
    }

    @Test
    void aListenerThatHasTakenAnEventIsNotGivenItAgainWhileItWaitsForAnother() {
        Instance instance = Instance.in(world);
        AtomicInteger mails = new AtomicInteger();
        instance.listeners().register("OrderPlaced", event -> mails.incrementAndGet());
        instance.listeners().register("OrderPlaced", listener(destination));
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        down();
        EventEnvelope event = instance.publish(World.event());
        drive.run(LONGER_THAN_ALL_RETRIES);
        assertThat(mails).hasValue(1);

        up();
        drive.run(RECOVERY_MAX);

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(mails).hasValue(1);
    }

    @Test
    void aPlainListenerMaySayThatItsDestinationIsUnavailable() {
        Instance instance = Instance.in(world);
        AtomicInteger calls = new AtomicInteger();
        instance.listeners().register("OrderPlaced", event -> {
            if (calls.incrementAndGet() <= 40) {
                throw new DestinationUnavailableException("the mail server is away");
            }
        });
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        EventEnvelope event = instance.publish(World.event());
        drive.run(Duration.ofSeconds(70));
        assertThat(world.state(event).attempts()).isZero();
        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        assertThat(world.state(event).lastError()).contains("the mail server is away");

        drive.run(Duration.ofSeconds(30));

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(world.state(event).attempts()).isZero();
    }

    @Test
    void aPlainListenerMaySayWhenToTryAgain() {
        Instance instance = Instance.in(world);
        instance.listeners().register("OrderPlaced", event -> {
            throw new DestinationUnavailableException("maintenance", Duration.ofMinutes(7));
        });
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(world.state(event).attempts()).isZero();
        assertThat(world.state(event).availableAt())
                .isEqualTo(world.time.instant().plus(Duration.ofMinutes(7)));
        assertThat(instance.wakeUps()).contains(Duration.ofMinutes(7));
    }

    @Test
    void aPlainStoreKeepsItsEventsToo() {
        PlainStore plain = new PlainStore(world.time);
        FakeConnections connections = new FakeConnections(true, Connection.TRANSACTION_READ_COMMITTED);
        Instance instance = Instance.builder(world)
                .store(new PlainClaimStore(connections, plain, world.time))
                .with(config -> config.setRetryMaxAttempts(2))
                .build();
        instance.listeners().register("OrderPlaced", listener(destination));
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        down();
        EventEnvelope event = World.event();
        plain.insertNew(connections.getConnection(), event);
        instance.poll();
        drive.run(LONGER_THAN_ALL_RETRIES);
        assertThat(plain.status(event)).isEqualTo(EventStatus.NEW);
        assertThat(destination.deliveries()).hasSizeGreaterThan(100);

        up();
        drive.run(RECOVERY_MAX);

        assertThat(plain.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void aRejectedEventDoesNotEndTheOutage() {
        Instance instance = deliveringTo(destination);
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        down();
        List<EventEnvelope> events = publish(instance, 50);
        drive.run(Duration.ofSeconds(30));
        EventEnvelope bad = events.get(0);
        int before = destination.deliveries().size();
        destination.answer(delivery -> delivery.event().eventId().equals(bad.eventId())
                ? new Outcome.Rejected("refused before anything was sent")
                : new Outcome.Unavailable("connection refused", Scope.DESTINATION));
        drive.run(Duration.ofMinutes(5));

        assertThat(world.status(bad)).isEqualTo(EventStatus.DEAD);
        assertThat(destination.deliveries()).as("probes alone").hasSizeLessThan(before + 110);
    }

    // ---- give up after --------------------------------------------------------------------------------------------

    @Test
    void anEventIsDeadAtTheAgeToGiveUpAtWithItsAttemptsUnchanged() {
        Instance instance = Instance.builder(world)
                .with(config -> config.setGiveUpAfterMs(60_000))
                .build();
        instance.listeners().register("OrderPlaced", listener(destination));
        WakeUpDrive drive = new WakeUpDrive(world, instance);
        down();
        EventEnvelope event = instance.publish(World.event());
        drive.run(Duration.ofSeconds(59));
        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);

        drive.run(Duration.ofSeconds(5));

        assertThat(world.status(event)).isEqualTo(EventStatus.DEAD);
        assertThat(world.state(event).attempts()).isZero();
        assertThat(world.state(event).lastError())
                .contains("give-up-after PT1M")
                .contains("connection refused");
    }

    @Test
    void countsTheAgeByTheStoresClockWhateverThatOfItsMachineSays() {
        ManualTime ahead = new ManualTime(world.time.instant().plus(Duration.ofHours(1)));
        Instance instance = Instance.builder(world)
                .with(config -> config.setGiveUpAfterMs(60_000))
                .time(ahead)
                .build();
        instance.listeners().registerAll(listener(destination));
        down();
        EventEnvelope event = instance.publish(World.event());
        instance.poll();
        instance.work();
        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);

        ahead.jumpWallClock(Duration.ofHours(-2));
        world.time.advance(Duration.ofSeconds(61));
        ahead.advance(Duration.ofSeconds(61));
        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DEAD);
    }

    private Instance deliveringTo(Destination to) {
        Instance instance = Instance.in(world);
        instance.listeners().register("OrderPlaced", listener(to));
        return instance;
    }

    private DestinationListener listener(Destination to) {
        return new DestinationListener("orders", to, Duration.ofSeconds(5), world.time);
    }

    private List<EventEnvelope> publish(Instance instance, int count) {
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(instance.publish(World.event()));
        }
        return events;
    }

    private void down() {
        destination.answer(delivery -> new Outcome.Unavailable("connection refused", Scope.DESTINATION));
    }

    private void up() {
        destination.answer(delivery -> new Outcome.Delivered());
    }
}
