package outbox.relay.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.model.Delivery;
import outbox.relay.DestinationConfig;
import outbox.relay.DestinationStatus;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.testkit.ManualTime;
import outbox.testkit.NoopDestination;

class DestinationGateTest {

    private static final DestinationTraits TRAITS = new DestinationTraits(4, 3, 5, 10, 8L << 20);

    private final ManualTime time = new ManualTime();
    private final List<RelayEvent> events = new ArrayList<>();
    private final AtomicInteger woken = new AtomicInteger();
    private final Runnable waker = woken::incrementAndGet;
    private DestinationGate gate = gate(TRAITS, DestinationConfig.defaults());

    @Test
    void givesNoMoreThanOneCallMayHave() {
        DestinationGate.Permit room = gate.reserve(waker);

        assertThat(room).isEqualTo(new DestinationGate.Permit(3, 10, 2L << 20, false));
        assertThat(room.isNone()).isFalse();
    }

    @Test
    void limitsTheKeysUnderWay() {
        gate = gate(TRAITS.withEventsInFlightMax(1_000), DestinationConfig.defaults());
        use(gate.reserve(waker), 3, 3, 30);

        assertThat(gate.reserve(waker).keys()).isEqualTo(2);
        assertThat(gate.reserve(waker).isNone()).isTrue();
    }

    @Test
    void limitsTheEventsUnderWay() {
        use(gate.reserve(waker), 1, 8, 30);

        assertThat(gate.reserve(waker)).isEqualTo(new DestinationGate.Permit(2, 2, 2L << 20, false));
        assertThat(gate.status().eventsInFlight()).isEqualTo(10);
        assertThat(gate.reserve(waker).isNone()).isTrue();
    }

    @Test
    void limitsTheBytesUnderWay() {
        use(gate.reserve(waker), 1, 1, (8L << 20) - 1);
        assertThat(gate.reserve(waker).bytes()).isEqualTo(1);

        assertThat(gate.reserve(waker).isNone()).isTrue();
    }

    @Test
    void lendsAMegabyteWhereAQuarterWouldBeLess() {
        gate = gate(TRAITS.withBytesInFlightMax(2 << 20), DestinationConfig.defaults());

        assertThat(gate.reserve(waker).bytes()).isEqualTo(1 << 20);
    }

    @Test
    void countsOneEventThatIsLargerThanItsRoom() {
        use(gate.reserve(waker), 1, 1, 20L << 20);

        assertThat(gate.reserve(waker).isNone()).isTrue();
        gate.eventAnswered(20L << 20, true);
        assertThat(gate.reserve(waker).bytes()).isEqualTo(2L << 20);
    }

    @Test
    void freesWhatHasLeft() {
        use(gate.reserve(waker), 1, 2, 20);
        assertThat(gate.status().eventsInFlight()).isEqualTo(2);
        gate.eventAnswered(10, false);
        assertThat(gate.status().eventsInFlight()).isEqualTo(1);
        gate.eventAnswered(10, true);
        assertThat(gate.status().eventsInFlight()).isZero();

        use(gate.reserve(waker), 3, 3, 3);
        assertThat(gate.reserve(waker).keys()).isEqualTo(2);
    }

    @Test
    void countsAKeyUntilItsLastEventHasLeft() {
        gate = gate(TRAITS.withKeysInFlightMax(1), DestinationConfig.defaults());
        use(gate.reserve(waker), 1, 2, 20);
        gate.eventAnswered(10, false);

        assertThat(gate.reserve(waker).isNone()).isTrue();
        gate.eventAnswered(10, true);
        assertThat(gate.reserve(waker).isNone()).isFalse();
    }

    @Test
    void wakesWhoeverGotNoRoomOnceSomethingLeaves() {
        use(gate.reserve(waker), 3, 10, 20);
        assertThat(gate.reserve(waker).isNone()).isTrue();
        assertThat(gate.reserve(waker).isNone()).isTrue();
        assertThat(woken).hasValue(0);
        assertThat(gate.nextTry()).as("a wake-up will come").isNull();

        gate.eventAnswered(1, false);
        gate.eventAnswered(1, false);

        assertThat(woken).as("once").hasValue(1);
    }

    @Test
    void wakesWhoeverGotNoRoomOnceAnotherGivesItBack() {
        DestinationGate.Permit room = gate.reserve(waker);
        assertThat(gate.reserve(waker).isNone()).isTrue();

        gate.release(room, 1, 1, 10);

        assertThat(woken).hasValue(1);
    }

    @Test
    void wakesNobodyWhenAllOfTheRoomWasUsed() {
        DestinationGate.Permit room = gate.reserve(waker);
        assertThat(gate.reserve(waker).isNone()).isTrue();

        gate.release(room, 3, 10, 10);

        assertThat(woken).hasValue(0);
    }

    @Test
    void givesNothingWhileItIsPaused() {
        gate.pause();
        assertThat(gate.reserve(waker).isNone()).isTrue();
        assertThat(gate.nextTry()).isNull();

        gate.resume();

        assertThat(woken).hasValue(1);
        assertThat(gate.reserve(waker).isNone()).isFalse();
    }

    @Test
    void sendsWhoeverWaitsElsewhereOnceItIsRetired() {
        gate.pause();
        assertThat(gate.reserve(waker).isNone()).isTrue();

        gate.retire(() -> {});

        assertThat(woken).hasValue(1);
        assertThat(gate.reserve(waker).isNone()).isTrue();
        assertThat(woken).as("a loop that still comes is woken at once").hasValue(2);
        gate.resume();
        assertThat(gate.reserve(waker).isNone()).isTrue();
    }

    @Test
    void saysOnceThatNothingIsUnderWayAnyMoreAfterItWasRetired() {
        AtomicInteger idle = new AtomicInteger();
        use(gate.reserve(waker), 1, 2, 20);

        gate.retire(idle::incrementAndGet);
        assertThat(idle).hasValue(0);
        gate.eventAnswered(10, false);
        assertThat(idle).hasValue(0);
        gate.eventAnswered(10, true);

        assertThat(idle).hasValue(1);
    }

    @Test
    void tellsNothingOfItsBreakerOnceAnotherHasTakenItsPlace() {
        gate.retire(() -> {});

        goDown();
        gate.answered("an event was delivered");

        assertThat(changes()).isEmpty();
    }

    @Test
    void isIdleOnceARoomIsGivenBackWhole() {
        AtomicInteger idle = new AtomicInteger();
        DestinationGate.Permit room = gate.reserve(waker);
        gate.retire(idle::incrementAndGet);
        assertThat(idle).hasValue(0);

        gate.release(room, 0, 0, 0);

        assertThat(idle).hasValue(1);
    }

    @Test
    void givesNoMoreThanTheRateAllows() {
        gate = gate(TRAITS, DestinationConfig.defaults().withEventsPerSecondMax(20));

        assertThat(gate.reserve(waker)).isEqualTo(new DestinationGate.Permit(2, 2, 2L << 20, false));
        assertThat(gate.reserve(waker).isNone()).isTrue();
        assertThat(gate.nextTry()).isEqualTo(Duration.ofMillis(50));
        time.advance(Duration.ofMillis(50));
        assertThat(gate.reserve(waker).events()).isEqualTo(1);
    }

    @Test
    void takesBackWhatTheRateAllowedAndNobodyUsed() {
        gate = gate(TRAITS, DestinationConfig.defaults().withEventsPerSecondMax(20));
        use(gate.reserve(waker), 0, 0, 0);

        assertThat(gate.reserve(waker).events()).isEqualTo(2);
    }

    @Test
    void isLeftAloneWhileItIsUnavailable() {
        goDown();

        assertThat(gate.status().breaker()).isEqualTo(State.OPEN);
        assertThat(gate.reserve(waker).isNone()).isTrue();
        assertThat(gate.nextTry()).isEqualTo(Duration.ofSeconds(1));
        assertThat(events).containsExactly(new RelayEvent.BreakerChanged("there", State.OPEN, "down"));
    }

    @Test
    void letsOneEventTryAfterTheRest() {
        goDown();
        time.advance(Duration.ofSeconds(1));

        DestinationGate.Permit trial = gate.reserve(waker);

        assertThat(trial.probe()).isTrue();
        assertThat(trial.keys()).isEqualTo(1);
        assertThat(trial.events()).isEqualTo(1);
        assertThat(gate.reserve(waker).isNone()).isTrue();
        assertThat(gate.nextTry()).as("unless the first is answered before").isEqualTo(Duration.ofSeconds(1));
        assertThat(changes()).containsExactly(State.OPEN, State.HALF_OPEN);
    }

    @Test
    void goesOnAfterATrialThatSucceeded() {
        goDown();
        time.advance(Duration.ofSeconds(1));
        use(gate.reserve(waker), 1, 1, 1);

        gate.eventAnswered(1, true);
        gate.answered("an event was delivered");

        assertThat(gate.reserve(waker).probe()).isFalse();
        assertThat(changes()).containsExactly(State.OPEN, State.HALF_OPEN, State.CLOSED);
        gate.answered("an event was delivered");
        assertThat(changes()).hasSize(3);
    }

    @Test
    void letsAnotherTryWhenTheTrialFoundNoEvent() {
        goDown();
        time.advance(Duration.ofSeconds(1));
        DestinationGate.Permit trial = gate.reserve(waker);
        assertThat(gate.reserve(waker).isNone()).isTrue();

        gate.release(trial, 0, 0, 0);

        assertThat(woken).hasValue(1);
        assertThat(gate.reserve(waker).probe()).isTrue();
    }

    @Test
    void letsAnotherTryWhenNobodyWillKnowOfTheTrial() {
        goDown();
        time.advance(Duration.ofSeconds(1));
        use(gate.reserve(waker), 1, 1, 1);
        assertThat(gate.reserve(waker).isNone()).isTrue();

        gate.eventAnswered(1, true);
        gate.probeAbandoned();

        assertThat(gate.reserve(waker).probe()).isTrue();
    }

    @Test
    void keepsItsTrialWhenTheRateAllowsNone() {
        gate = gate(
                TRAITS,
                DestinationConfig.defaults()
                        .withEventsPerSecondMax(1)
                        .withBreaker(2, Duration.ofMillis(1), Duration.ofMillis(1)));
        use(gate.reserve(waker), 1, 1, 1);
        goDown();
        time.advance(Duration.ofMillis(1));

        assertThat(gate.reserve(waker).isNone()).isTrue();
        time.advance(Duration.ofSeconds(1));
        assertThat(gate.reserve(waker).probe()).isTrue();
    }

    @Test
    void wakesWhoeverWaitedForATrialWhenTheWayIsFree() {
        goDown();
        time.advance(Duration.ofSeconds(1));
        DestinationGate.Permit trial = gate.reserve(waker);
        gate.release(trial, 1, 1, 1);
        List<DestinationGate.Permit> rooms = new ArrayList<>();
        // As a thread does that runs at once.
        Runnable eager = new Runnable() {
            @Override
            public void run() {
                rooms.add(gate.reserve(this));
            }
        };
        assertThat(gate.reserve(eager).isNone()).isTrue();

        ReadableBatch batch = ReadableBatch.of(List.of(Sendings.of(1, "a")), 0, gate);
        new Call(gate, batch, true, time, completion -> {}).reportAll(new outbox.model.Outcome.Delivered());

        assertThat(rooms).isNotEmpty();
        assertThat(rooms.get(rooms.size() - 1).isNone()).isFalse();
    }

    // ---- addresses and checks --------------------------------------------------------------------------------------

    @Test
    void remembersAThousandAddressesAndForgetsNoneForAnother() {
        for (int n = 0; n < 1_000; n++) {
            assertThat(gate.addresses().failed("topic-" + n, "missing", null)).isTrue();
        }

        assertThat(gate.addresses().failed("one more", "missing", null)).isFalse();

        assertThat(gate.addresses().failed("topic-0", "missing", null)).isTrue();
        assertThat(gate.addresses().untilProbe("topic-0")).isPresent();
        assertThat(gate.addresses().untilProbe("one more")).isEmpty();
    }

    @Test
    void forgetsAnAddressThatNoEventWaitsFor() {
        gate.addresses().failed("topic", "missing", null);
        time.advance(Duration.ofSeconds(50));
        gate.takeCheck();
        assertThat(gate.status().addresses()).hasSize(1);

        time.advance(Duration.ofSeconds(20));
        gate.takeCheck();

        assertThat(gate.status().addresses()).isEmpty();
        assertThat(gate.addresses().isAnyUnavailable()).isFalse();
        assertThat(events)
                .last()
                .isEqualTo(new RelayEvent.AddressChanged("there", "topic", true, "no event waits for it any more"));
    }

    @Test
    void remembersAnAddressAsLongAsALaneWaitsForIt() {
        gate.addresses().failed("topic", "missing", null);
        Instant since = time.instant();
        for (int minute = 0; minute < 10; minute++) {
            time.advance(Duration.ofMinutes(1));
            gate.addresses().untilProbe("topic");
            gate.takeCheck();
        }

        assertThat(gate.status().addresses())
                .singleElement()
                .satisfies(address -> assertThat(address.since()).isEqualTo(since));
    }

    @Test
    void isUpAgainWhenItsConnectionWorksAndNoEventWaits() {
        Checked destination = checked();
        destination.error = "connection refused";
        gate.check(Duration.ofSeconds(1));
        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.DOWN);

        destination.error = null;
        gate.check(Duration.ofSeconds(1)); // It lets an event try, if there is one.
        gate.check(Duration.ofSeconds(1));

        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.UP);
        assertThat(gate.status().lastError()).isNull();
    }

    @Test
    void isDownUntilAWaitingEventIsDelivered() {
        Checked destination = checked();
        gate.unavailable("too few replicas", null, true);
        assertThat(gate.reserve(waker).isNone()).isTrue();

        gate.check(Duration.ofSeconds(1));

        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.DOWN);
        assertThat(destination.checks).isEqualTo(1);
    }

    @Test
    void letsAnEventTryAsSoonAsTheConnectionWorksAgainHoweverLongTheRest() {
        Checked destination =
                checked(DestinationConfig.defaults().withBreaker(10, Duration.ofHours(1), Duration.ofHours(1)));
        gate.unavailable("connection refused", null, true);
        assertThat(gate.reserve(waker).isNone()).isTrue();
        destination.error = "connection refused";
        gate.check(Duration.ofSeconds(1));
        assertThat(woken).hasValue(0);

        destination.error = null;
        gate.check(Duration.ofSeconds(1));

        assertThat(woken).hasValue(1);
        assertThat(gate.reserve(waker).probe()).isTrue();
    }

    @Test
    void leavesADestinationAloneThatAskedForAWhile() {
        checked(DestinationConfig.defaults().withBreaker(10, Duration.ofSeconds(1), Duration.ofSeconds(4)));
        gate.unavailable("too many requests", Duration.ofSeconds(4), true);
        assertThat(gate.reserve(waker).isNone()).isTrue();

        gate.check(Duration.ofSeconds(1));

        assertThat(woken).hasValue(0);
        assertThat(gate.reserve(waker).isNone())
                .as("although it can be reached")
                .isTrue();
        time.advance(Duration.ofSeconds(4));
        assertThat(gate.reserve(waker).probe()).isTrue();
    }

    @Test
    void aSingleBrokenConnectionCostsNoMoreThanOneCheck() {
        checked();
        gate.delivered(time.nanoTime());
        gate.unavailable("connection reset", null, true);
        assertThat(gate.takeCheck()).as("at once").isTrue();

        gate.check(Duration.ofSeconds(1));
        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.DOWN);
        DestinationGate.Permit trial = gate.reserve(waker);
        assertThat(trial.probe()).isTrue();

        gate.unavailable("503", null, true);
        time.advance(Duration.ofMillis(250));
        assertThat(gate.takeCheck()).isTrue();
        gate.check(Duration.ofSeconds(1));
        assertThat(gate.reserve(waker).isNone())
                .as("a connection that works shows nothing any more")
                .isTrue();
    }

    @Test
    void saysThatItsConnectionIsCheckedNextWhileNoEventWaits() {
        Checked destination = checked();
        destination.error = "connection refused";
        gate.unavailable("connection refused", null, true);
        assertThat(gate.status().nextProbe()).isEqualTo(time.instant().plusSeconds(1));
        for (int n = 0; n < 5; n++) {
            time.advance(Duration.ofSeconds(2));
            assertThat(gate.takeCheck()).isTrue();
            gate.check(Duration.ofSeconds(1));
        }

        assertThat(gate.status().nextProbe()).isEqualTo(time.instant().plusSeconds(2));
    }

    @Test
    void aCheckThatFailsAfterADeliveryChangesNothing() {
        Checked destination = checked();
        gate.unavailable("connection refused", null, true);
        destination.error = "connection refused";
        destination.meanwhile = () -> gate.delivered(time.nanoTime());

        gate.check(Duration.ofSeconds(1));

        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.UP);
        assertThat(gate.status().breaker()).isEqualTo(State.CLOSED);
    }

    @Test
    void aCheckThatEndsWithAnErrorIsFollowedByAnother() {
        Checked destination = checked();
        gate.unavailable("connection refused", null, true);
        destination.meanwhile = () -> {
            throw new NoClassDefFoundError("com/example/Login");
        };
        assertThat(gate.takeCheck()).isTrue();
        gate.check(Duration.ofSeconds(1));
        assertThat(gate.status().state()).isEqualTo(DestinationStatus.State.DOWN);

        time.advance(Duration.ofSeconds(2));
        destination.meanwhile = () -> {};

        assertThat(gate.takeCheck()).isTrue();
    }

    private Checked checked() {
        return checked(DestinationConfig.defaults());
    }

    private Checked checked(DestinationConfig config) {
        Checked destination = new Checked();
        gate = new DestinationGate("there", destination, config, time, events::add);
        return destination;
    }

    /** A destination whose connection fails as the test says. */
    private static final class Checked implements Destination, Checkable {
        @Nullable
        String error;

        Runnable meanwhile = () -> {};
        int checks;

        @Override
        public void check(Duration timeout) {
            checks++;
            meanwhile.run();
            if (error != null) {
                throw new OutboxException(error);
            }
        }

        @Override
        public void deliver(List<Delivery> deliveries, Receipt receipt) {
            throw new AssertionError("nothing is to be delivered");
        }

        @Override
        public DestinationTraits traits() {
            return TRAITS;
        }

        @Override
        public void close() {}
    }

    private void goDown() {
        gate.unavailable("down", null, true);
    }

    private void use(DestinationGate.Permit room, int keys, int eventCount, long bytes) {
        assertThat(room.isNone()).isFalse();
        gate.release(room, keys, eventCount, bytes);
    }

    private List<State> changes() {
        return events.stream()
                .map(event -> ((RelayEvent.BreakerChanged) event).state())
                .toList();
    }

    private DestinationGate gate(DestinationTraits traits, DestinationConfig config) {
        return new DestinationGate("there", new NoopDestination(traits), config, time, events::add);
    }
}
