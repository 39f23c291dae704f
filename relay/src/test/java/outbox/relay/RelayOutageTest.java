package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.relay.route.Match;
import outbox.relay.route.ReplaceableRouter;
import outbox.relay.route.RouteTable;
import outbox.relay.route.Router;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.Pause;
import outbox.spi.relay.WakeUp;

/** Destinations, and addresses of them, that are unavailable for longer than all retries would last. */
class RelayOutageTest {

    private static final Outcome DELIVERED = new Outcome.Delivered();
    private static final Outcome DOWN = new Outcome.Unavailable("connection refused", Scope.DESTINATION);

    private final Rig rig = new Rig();

    // ---- the destination -------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 500})
    void costsNoEventAnAttemptHoweverFewWait(int count) {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> DOWN);
        List<EventEnvelope> events = IntStream.range(0, count)
                .mapToObj(n -> rig.publish("key-" + n % 7))
                .toList();
        rig.pass(Duration.ofMinutes(40)); // Ten attempts of the default policy take about three.

        assertThat(events)
                .allMatch(event -> rig.status(event) == EventStatus.NEW)
                .allMatch(event -> rig.attempts(event) == 0);
        node.destination.answer(delivery -> DELIVERED);
        int before = node.destination.deliveries().size();
        rig.passSeconds(5);

        rig.assertDone(events);
        assertThat(events).allMatch(event -> rig.attempts(event) == 0);
        assertInOrder(
                events, node.destination.deliveries().stream().skip(before).toList());
    }

    @Test
    void leavesTheDestinationAloneAtOnce() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> DOWN);
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(2);

        assertThat(node.notified(RelayEvent.BreakerChanged.class))
                .first()
                .isEqualTo(new RelayEvent.BreakerChanged("there", State.OPEN, "connection refused"));
        assertThat(rig.attempts(event)).isZero();
    }

    @Test
    void probesAtGrowingIntervals() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> DOWN);
        rig.publishKeys(50);
        rig.passSeconds(2);
        int begun = node.destination.deliveries().size();
        rig.passSeconds(60);

        assertThat(node.destination.deliveries().size() - begun)
                .as("one in four seconds")
                .isBetween(12, 18);
    }

    /** A server that says 503 with a Retry-After of an hour may be back after a minute. */
    @Test
    void resumesWithinFiveSecondsWhateverDelayTheDestinationHasAskedFor() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> new Outcome.Unavailable("503", Scope.DESTINATION, Duration.ofHours(1)));
        List<EventEnvelope> events = rig.publishKeys(20);
        rig.passSeconds(60);
        node.destination.answer(delivery -> DELIVERED);
        rig.passSeconds(5);

        rig.assertDone(events);
    }

    @Test
    void honoursTheDelayThatTheDestinationAsksForUpToTheLongestRest() {
        rig.treatment = DestinationConfig.defaults().withBreaker(10, Duration.ofSeconds(1), Duration.ofSeconds(30));
        RigNode node = rig.settled("a");
        node.destination.answer(
                delivery -> new Outcome.Unavailable("too many requests", Scope.DESTINATION, Duration.ofSeconds(30)));
        rig.publish("k");
        rig.passSeconds(29);

        assertThat(node.destination.deliveries()).hasSize(1);
        rig.passSeconds(3);
        assertThat(node.destination.deliveries()).hasSize(2);
    }

    @Test
    void leavesItAloneAtOnceAlsoIfOthersHaveJustArrived() {
        RigNode node = rig.settled("a");
        EventEnvelope odd = rig.publish("odd");
        node.destination.answer(delivery -> isFor(odd, delivery) ? DOWN : DELIVERED);
        node.destination.delayAnswers();
        rig.passSeconds(2);
        rig.publish("even");
        rig.passSeconds(2);
        node.destination.releaseNewestFirst(); // The other one has arrived before this one fails.
        rig.pass(Duration.ofMillis(10));

        assertThat(node.notified(RelayEvent.BreakerChanged.class))
                .singleElement()
                .extracting(RelayEvent.BreakerChanged::state)
                .isEqualTo(State.OPEN);
        assertThat(rig.attempts(odd)).isZero();
        node.destination.answer(delivery -> DELIVERED);
        node.destination.releaseAll();
        rig.passSeconds(3);
        rig.assertDone(List.of(odd));
    }

    @ParameterizedTest
    @ValueSource(ints = {350, 450, 900})
    void leavesRoomForEventsOfAnotherDestinationHoweverManyWait(int waiting) {
        rig.settings = config -> config.withClaim(
                RelayConfig.ClaimConfig.defaults().withFetchMax(100).withMemory(600, 1 << 20));
        rig.router = RouteTable.builder()
                .route("other", Match.all().eventType("Other"), RouteTable.Target.to("elsewhere"))
                .route("all", Match.all(), RouteTable.Target.to("there"))
                .build()
                .router();
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> DOWN);
        for (int n = 0; n < waiting; n++) {
            rig.publish("key-" + n);
            rig.pass(Duration.ofMillis(20));
        }

        List<EventEnvelope> others = IntStream.range(0, 60)
                .mapToObj(n -> rig.publish(
                        EventEnvelope.builder("Other").payloadJson("{}").build()))
                .toList();
        rig.passSeconds(3);

        assertThat(node.elsewhere.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(others));
    }

    // ---- no answer -------------------------------------------------------------------------------------------------

    @Test
    void countsNoAttemptThatWasNotAnsweredWhileNothingElseArrived() {
        rig.treatment = DestinationConfig.defaults().withDeadline(Duration.ofSeconds(3));
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        EventEnvelope event = rig.publish("k");
        rig.pass(Duration.ofMinutes(5));

        assertThat(rig.status(event)).isEqualTo(EventStatus.NEW);
        assertThat(rig.attempts(event)).isZero();
        node.destination.releaseAll();
        rig.passSeconds(8);
        rig.assertDone(List.of(event));
    }

    @Test
    void countsAnAttemptThatWasNotAnsweredWhileOthersArrived() {
        rig.treatment = DestinationConfig.defaults().withDeadline(Duration.ofSeconds(3));
        RigNode node = rig.settled("a");
        EventEnvelope silent = rig.publish("silent");
        node.destination.answer(
                delivery -> isFor(silent, delivery) ? Outcome.Retryable.unanswered("no answer within 3 s") : DELIVERED);
        node.destination.delayAnswers();
        rig.pass(Duration.ofMillis(1_100));
        rig.publish("other");
        rig.pass(Duration.ofMillis(1_100));
        node.destination.releaseNewestFirst();
        rig.pass(Duration.ofMillis(500));

        assertThat(rig.status(silent)).isEqualTo(EventStatus.RETRY);
        assertThat(rig.attempts(silent)).isEqualTo(1);
    }

    // ---- part of a call --------------------------------------------------------------------------------------------

    @Test
    void chargesNothingToAnEventThatWasNotSentBehindARefusedOne() {
        RigNode node = rig.settled("a");
        List<EventEnvelope> events = rig.publishKeys(30);
        EventEnvelope refused = events.get(0);
        List<String> answered = new ArrayList<>();
        node.destination.answer(delivery -> {
            if (isFor(refused, delivery)) {
                return new Outcome.Rejected("too large");
            }
            String id = delivery.event().eventId();
            boolean first = !answered.contains(id);
            answered.add(id);
            return first ? new Outcome.Unavailable("behind a refused one", Scope.CALL) : DELIVERED;
        });
        rig.passSeconds(2);

        assertThat(rig.status(refused)).isEqualTo(EventStatus.DEAD);
        rig.assertDone(events.subList(1, 30));
        assertThat(events.subList(1, 30)).allMatch(event -> rig.attempts(event) == 0);
        assertThat(node.notified(RelayEvent.BreakerChanged.class)).isEmpty();
    }

    // ---- addresses -------------------------------------------------------------------------------------------------

    @Test
    void stopsOnlyTheAddressThatIsUnavailable() {
        RigNode node = withAddresses();
        node.destination.answer(missing("bad"));
        List<EventEnvelope> bad = publish("bad", 40);
        rig.passSeconds(30);
        int asked = asked(node, "bad");
        List<EventEnvelope> good = publish("good", 200);
        rig.passSeconds(2);

        rig.assertDone(good);
        assertThat(node.notified(RelayEvent.BreakerChanged.class)).isEmpty();
        assertThat(node.notified(RelayEvent.AddressChanged.class))
                .containsExactly(new RelayEvent.AddressChanged("there", "bad", false, "no such topic"));
        assertThat(bad).allMatch(event -> rig.status(event) == EventStatus.NEW && rig.attempts(event) == 0);
        rig.passSeconds(60);
        assertThat(asked(node, "bad") - asked).as("one probe in four seconds").isBetween(8, 20);
    }

    /** Two events in a hundred go to a missing topic, and the destination takes few more than the good ones. */
    @Test
    void goodAddressesKeepTheirRateAndTheirLatencyBesideABadOne() {
        List<Long> alone = latenciesOfGoodEvents(new Rig(), 0);
        List<Long> besideABadOne = latenciesOfGoodEvents(new Rig(), 2);

        assertThat(alone).hasSize(GOOD_EVENTS);
        assertThat(besideABadOne.size())
                .as("delivered in the same time")
                .isGreaterThanOrEqualTo(GOOD_EVENTS * 95 / 100);
        assertThat(p99(besideABadOne))
                .as("milliseconds, %d without the bad one", p99(alone))
                .isLessThanOrEqualTo(p99(alone) + 5);
    }

    private static final int GOOD_EVENTS = 4_000;

    /** Milliseconds from the commit to the delivery; 200 good events a second, of 40 keys. */
    private static List<Long> latenciesOfGoodEvents(Rig rig, int badInHundred) {
        rig.treatment = DestinationConfig.defaults().withEventsPerSecondMax(210);
        rig.router = byTenant();
        RigNode node = rig.settled("a");
        Map<String, Long> published = new HashMap<>();
        List<Long> latencies = new ArrayList<>();
        node.destination.answer(delivery -> {
            if ("bad".equals(delivery.address())) {
                return new Outcome.Unavailable("no such topic", Scope.ADDRESS);
            }
            latencies.add((rig.elapsedNanos() - published.get(delivery.event().eventId())) / 1_000_000);
            return DELIVERED;
        });
        for (int n = 0; n < GOOD_EVENTS; n++) {
            EventEnvelope good = rig.publish(ofTenant("good", "key-" + n % 40));
            published.put(good.eventId(), rig.elapsedNanos());
            if (n % 100 < badInHundred) {
                rig.publish(ofTenant("bad", "bad-key-" + n));
            }
            node.relay.wakeUps().wake(WakeUp.ANY);
            rig.pass(Duration.ofMillis(5));
        }
        rig.pass(Duration.ofMillis(100));
        return latencies;
    }

    private static long p99(List<Long> latencies) {
        List<Long> sorted = latencies.stream().sorted().toList();
        return sorted.get(sorted.size() * 99 / 100);
    }

    @Test
    void deliversInOrderOnceTheAddressIsAvailable() {
        RigNode node = withAddresses();
        node.destination.answer(missing("bad"));
        List<EventEnvelope> bad = publish("bad", 200);
        rig.pass(Duration.ofMinutes(10));
        node.destination.answer(delivery -> DELIVERED);
        int before = node.destination.deliveries().size();
        rig.passSeconds(8);

        rig.assertDone(bad);
        assertInOrder(bad, node.destination.deliveries().stream().skip(before).toList());
        assertThat(node.notified(RelayEvent.AddressChanged.class))
                .last()
                .isEqualTo(new RelayEvent.AddressChanged("there", "bad", true, "an event was delivered"));
    }

    @Test
    void probesWithAnotherLaneWhenTheEventThatWasToProbeIsGone() {
        RigNode node = withAddresses();
        node.destination.answer(missing("bad"));
        List<EventEnvelope> bad = publish("bad", 6);
        rig.passSeconds(10);
        bad.subList(0, 5).forEach(rig::discard);
        node.destination.answer(delivery -> DELIVERED);
        rig.passSeconds(12);

        rig.assertDone(bad.subList(5, 6));
    }

    @Test
    void remembersAnAddressWhileItsLanesWaitBehindAPausedDestination() {
        RigNode node = withAddresses();
        node.destination.answer(missing("bad"));
        List<EventEnvelope> bad = publish("bad", 20);
        rig.passSeconds(10);
        int asked = asked(node, "bad");
        rig.pause(Pause.Kind.DESTINATION, "there");
        for (int minute = 0; minute < 10; minute++) {
            rig.pass(Duration.ofMinutes(1));
            node.gate("there").takeCheck();
        }
        rig.resume(Pause.Kind.DESTINATION, "there");
        rig.passSeconds(2);

        assertThat(asked(node, "bad")).as("probed by one lane").isLessThan(asked + 3);
        assertThat(node.notified(RelayEvent.AddressChanged.class)).hasSize(1);
        assertThat(bad).allMatch(event -> rig.status(event) == EventStatus.NEW);
    }

    @Test
    void probesAnAddressByAnotherRouteWhileOneIsPaused() {
        rig.router = RouteTable.builder()
                .route("first", Match.all().tenant("one"), RouteTable.Target.to("there", "bad"))
                .route("second", Match.all(), RouteTable.Target.to("there", "bad"))
                .build()
                .router();
        RigNode node = rig.settled("a");
        node.destination.answer(missing("bad"));
        List<String> keys = keysOfOnePartition(6);
        List<EventEnvelope> paused = keys.subList(0, 2).stream()
                .map(key -> rig.publish(ofTenant("one", key)))
                .toList();
        rig.passSeconds(3);
        List<EventEnvelope> flowing = keys.subList(2, 6).stream()
                .map(key -> rig.publish(ofTenant("two", key)))
                .toList();
        rig.passSeconds(3);

        rig.pause(Pause.Kind.ROUTE, "first");
        node.destination.answer(delivery -> DELIVERED);
        rig.passSeconds(30);

        rig.assertDone(flowing);
        assertThat(paused).allMatch(event -> rig.status(event) == EventStatus.NEW);
    }

    @Test
    void takesNewRoutesWithoutWaitingForTheAddress() {
        ReplaceableRouter live = new ReplaceableRouter(byTenant());
        rig.router = live;
        RigNode node = rig.settled("a");
        node.destination.answer(missing("bad"));
        List<EventEnvelope> bad = publish("bad", 20);
        rig.passSeconds(10);

        live.replace(Router.everythingTo("elsewhere"));
        node.relay.rerouted();
        rig.passSeconds(2);

        rig.assertDone(bad);
    }

    @Test
    void goodAddressesGoOnHoweverManyKeysWaitForABadOne() {
        RigNode node = withAddresses();
        node.destination.answer(missing("bad"));
        List<String> keys = keysOfOnePartition(12_001);
        List<EventEnvelope> bad = new ArrayList<>();
        for (int n = 0; n < 2; n++) { // What comes after a key that is not remembered must not overtake it.
            keys.subList(0, 12_000).forEach(key -> bad.add(rig.publish(ofTenant("bad", key))));
            rig.passSeconds(20);
        }
        EventEnvelope behind = rig.publish(ofTenant("good", keys.get(11_999)));
        EventEnvelope good = rig.publish(ofTenant("good", keys.getLast()));
        rig.passSeconds(2);

        rig.assertDone(List.of(good));
        assertThat(rig.status(behind)).isEqualTo(EventStatus.NEW);
        assertThat(node.notified(RelayEvent.LanesOverflowed.class)).hasSize(1);
        assertThat(node.relay.fullPartitions()).isEmpty();

        node.destination.answer(delivery -> DELIVERED);
        int before = node.destination.deliveries().size();
        rig.passSeconds(30);
        rig.assertDone(bad);
        rig.assertDone(List.of(behind));
        List<EventEnvelope> inOrder = new ArrayList<>(bad);
        inOrder.add(behind);
        assertInOrder(
                inOrder,
                keys.get(11_999),
                node.destination.deliveries().stream().skip(before).toList());
        bad.subList(0, 200)
                .forEach(event -> assertInOrder(
                        bad,
                        event.orderingKey(),
                        node.destination.deliveries().stream().skip(before).toList()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatHadToWaitInAFullPartitionIsDeliveredInOrder(boolean tellsHorizon) {
        Rig tight = tellsHorizon ? new Rig() : Rig.withoutHorizon();
        tight.settings = config -> config.withClaim(RelayConfig.ClaimConfig.defaults()
                .withFetchMax(50)
                .withMemory(300, 1 << 20)
                .withLanes(10, 5));
        tight.router = byTenant();
        RigNode node = tight.settled("a");
        AtomicBoolean repaired = new AtomicBoolean();
        List<Delivery> arrived = new ArrayList<>();
        node.destination.answer(delivery -> {
            if (!repaired.get() && "bad".equals(delivery.address())) {
                return new Outcome.Unavailable("no such topic", Scope.ADDRESS);
            }
            arrived.add(delivery);
            return DELIVERED;
        });
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 1_500; n++) {
            events.add(tight.publish(ofTenant(n % 10 == 9 ? "good" : "bad", "key-" + n % 700)));
            tight.pass(Duration.ofMillis(20));
        }
        tight.passSeconds(30);
        repaired.set(true);
        tight.pass(Duration.ofMinutes(1));

        tight.assertDone(events);
        assertInOrder(events, arrived);
    }

    @Test
    void aDestinationThatIsDownLeavesOthersFlowHoweverManyKeysWaitForIt() {
        rig.settings = config -> config.withClaim(RelayConfig.ClaimConfig.defaults()
                .withFetchMax(100)
                .withMemory(600, 1 << 20)
                .withLanes(100, 20));
        rig.router = RouteTable.builder()
                .route("other", Match.all().eventType("Other"), RouteTable.Target.to("elsewhere"))
                .route("all", Match.all(), RouteTable.Target.to("there"))
                .build()
                .router();
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> DOWN);
        List<EventEnvelope> waiting = new ArrayList<>();
        for (int n = 0; n < 1_200; n++) {
            waiting.add(rig.publish("key-" + n % 900));
            rig.pass(Duration.ofMillis(20));
        }
        List<EventEnvelope> others = IntStream.range(0, 60)
                .mapToObj(n -> rig.publish(
                        EventEnvelope.builder("Other").payloadJson("{}").build()))
                .toList();
        rig.passSeconds(3);
        assertThat(node.notified(RelayEvent.LanesOverflowed.class)).isNotEmpty();
        assertThat(node.elsewhere.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(others));

        node.destination.answer(delivery -> DELIVERED);
        int before = node.destination.deliveries().size();
        rig.passSeconds(20);
        rig.assertDone(waiting);
        assertInOrder(
                waiting, node.destination.deliveries().stream().skip(before).toList());
    }

    @Test
    void reportsTheAddressThatTheKeysOfAFullPartitionWaitFor() {
        rig.settings =
                config -> config.withClaim(config.claim().withLanes(1_000, 10)); // And a thousand that are skipped.
        RigNode node = withAddresses();
        node.destination.answer(missing("bad"));
        List<String> keys = keysOfOnePartition(1_701);
        keys.subList(0, 1_700).forEach(key -> rig.publish(ofTenant("bad", key)));
        rig.passSeconds(20);
        EventEnvelope good = rig.publish(ofTenant("good", keys.getLast()));
        rig.passSeconds(5);

        assertThat(node.relay.fullPartitions()).singleElement().satisfies(full -> {
            assertThat(full.partition()).isZero();
            assertThat(full.lanes()).isBetween(1_000, 1_700);
            assertThat(full.waitFor()).isEqualTo("there/bad");
        });
        assertThat(node.notified(RelayEvent.LanesFull.class)).containsAll(node.relay.fullPartitions());
        assertThat(rig.status(good)).isEqualTo(EventStatus.NEW);

        node.destination.answer(delivery -> DELIVERED);
        rig.passSeconds(30);
        assertThat(node.relay.fullPartitions()).isEmpty();
        rig.assertDone(List.of(good));
    }

    private static List<String> keysOfOnePartition(int count) {
        return IntStream.iterate(0, n -> n + 1)
                .mapToObj(n -> "key-" + n)
                .filter(key -> Rows.lane(key) % RelayConfig.PARTITIONS_DEFAULT == 0)
                .limit(count)
                .toList();
    }

    // ---- give up ---------------------------------------------------------------------------------------------------

    @Test
    void givesUpEventsOfTheSetAgeOnlyIfThatIsSet() {
        rig.settings = config -> config.withSettle(config.settle().withGiveUpAfter(Duration.ofMinutes(10)));
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> DOWN);
        List<EventEnvelope> events = rig.publishKeys(20);
        rig.pass(Duration.ofMinutes(9));
        assertThat(events).allMatch(event -> rig.status(event) == EventStatus.NEW);

        rig.pass(Duration.ofMinutes(2));

        assertThat(events).allMatch(event -> rig.status(event) == EventStatus.DEAD);
        assertThat(rig.error(events.get(3))).contains("given up", "10M", "connection refused");
    }

    @ParameterizedTest
    @EnumSource(ClaimStrategy.class)
    void countsTheAgeByTheStoresClockWhateverThatOfTheNodeSays(ClaimStrategy strategy) {
        rig.settings = config ->
                config.withStrategy(strategy).withSettle(config.settle().withGiveUpAfter(Duration.ofMinutes(10)));
        RigNode node = rig.settled("a");
        node.clock.jumpWallClock(Duration.ofHours(1));
        node.destination.answer(delivery -> DOWN);
        EventEnvelope event = rig.publish("k");
        rig.pass(Duration.ofMinutes(9));
        assertThat(rig.status(event)).isNotEqualTo(EventStatus.DEAD);

        node.clock.jumpWallClock(Duration.ofHours(-2));
        rig.pass(Duration.ofMinutes(2));

        assertThat(rig.status(event)).isEqualTo(EventStatus.DEAD);
    }

    @Test
    void countsTheAgeOfADelayedEventFromItsDueTime() {
        rig.settings = config -> config.withSettle(config.settle().withGiveUpAfter(Duration.ofMinutes(10)));
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> DOWN);
        EventEnvelope delayed = rig.publish(EventEnvelope.builder("thing")
                .payloadJson("{}")
                .availableAt(rig.time.instant().plus(Duration.ofHours(1)))
                .build());
        rig.pass(Duration.ofMinutes(65));
        assertThat(rig.status(delayed)).isEqualTo(EventStatus.NEW);

        rig.pass(Duration.ofMinutes(6));

        assertThat(rig.status(delayed)).isEqualTo(EventStatus.DEAD);
    }

    @Test
    void givesUpEventsThatWaitForAnAddress() {
        rig.settings = config -> config.withSettle(config.settle().withGiveUpAfter(Duration.ofMinutes(10)));
        RigNode node = withAddresses();
        node.destination.answer(missing("bad"));
        List<EventEnvelope> events = publish("bad", 60);
        rig.pass(Duration.ofMinutes(11));

        assertThat(events).allMatch(event -> rig.status(event) == EventStatus.DEAD);
    }

    // ----------------------------------------------------------------------------------------------------------------

    /** A node that sends each event to the address that its tenant names. */
    private RigNode withAddresses() {
        rig.router = byTenant();
        return rig.settled("a");
    }

    private static Router byTenant() {
        return RouteTable.builder()
                .route("by-tenant", Match.all(), RouteTable.Target.to("there", "{tenantId}"))
                .build()
                .router();
    }

    private List<EventEnvelope> publish(String address, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> rig.publish(ofTenant(address, address + "-key-" + n % (count / 2))))
                .toList();
    }

    private static EventEnvelope ofTenant(String tenant, String key) {
        return EventEnvelope.builder("OrderPlaced")
                .tenantId(tenant)
                .orderingKey(key)
                .payloadJson("{}")
                .build();
    }

    private static Function<Delivery, Outcome> missing(String address) {
        return delivery -> address.equals(delivery.address())
                ? new Outcome.Unavailable("no such topic", Scope.ADDRESS)
                : DELIVERED;
    }

    private static int asked(RigNode node, String address) {
        return (int) node.destination.deliveries().stream()
                .filter(delivery -> address.equals(delivery.address()))
                .count();
    }

    private static boolean isFor(EventEnvelope event, Delivery delivery) {
        return delivery.event().eventId().equals(event.eventId());
    }

    private static void assertInOrder(List<EventEnvelope> published, List<Delivery> delivered) {
        published.stream()
                .map(EventEnvelope::orderingKey)
                .distinct()
                .forEach(key -> assertInOrder(published, key, delivered));
    }

    private static void assertInOrder(List<EventEnvelope> published, String key, List<Delivery> delivered) {
        List<String> ofKey = Rig.ids(published.stream()
                .filter(event -> key.equals(event.orderingKey()))
                .toList());
        assertThat(delivered)
                .extracting(each -> each.event().eventId())
                .filteredOn(ofKey::contains)
                .containsExactlyElementsOf(ofKey);
    }
}
