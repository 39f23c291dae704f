package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;

/** A fetch of a partition gives the events that are in order, oldest first, and says whether these are all. */
interface PartitionContract extends ContractPart {

    /** Two keys whose hashes are in partition 0 of 6. */
    String FIRST_KEY = "key-0";

    String SECOND_KEY = "key-2";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6, 7, 64})
    default void showsEachPartitionItsOwnEventsInTheOrderOfInsertion(int partitions) {
        PartitionScan scan = underTest().partitions(partitions);
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            events.addAll(List.of(Events.ofKey("key-" + n), Events.ofKey(null), Events.ofKey("other-" + n)));
        }
        // Event ids ascend as they are made. Reversed, they distinguish an order by id from an order of insertion.
        Collections.reverse(events);
        events.forEach(underTest()::publish);

        for (int partition : scan.partitions()) {
            PartitionPage fetched = scan.fetch(partition);
            List<EventEnvelope> expected = events.stream()
                    .filter(event -> scan.partitionOf(event) == partition)
                    .toList();

            assertThat(PartitionScan.ids(fetched.events())).containsExactlyElementsOf(Events.ids(expected));
            assertThat(fetched.events())
                    .extracting(FetchedEvent::keyHash)
                    .containsExactlyElementsOf(
                            expected.stream().map(RelayNode::hashOf).toList());
            assertThat(fetched.events())
                    .extracting(FetchedEvent::seq)
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(fetched.complete()).isTrue();
        }
    }

    @Test
    default void showsAnEmptyPartitionAsEmpty() {
        PartitionPage fetched = underTest().partitions().fetch(0);

        assertThat(fetched.events()).isEmpty();
        assertThat(fetched.complete()).isTrue();
    }

    @Test
    default void showsTheSameAgainBecauseAFetchTakesNothing() {
        EventEnvelope event = underTest().publish(Events.ofKey(FIRST_KEY));
        underTest().fixture().claimStore().claimOne(event.eventId(), Claimer.terms(Claimer.LONG));

        assertThat(ids(underTest().partitions().fetch(0))).containsExactly(event.eventId());
        assertThat(ids(underTest().partitions().fetch(0))).containsExactly(event.eventId());
    }

    @Test
    default void leavesOutWhatIsAtOrBelowAPosition() {
        List<EventEnvelope> events = publishOfKeys(FIRST_KEY, SECOND_KEY, FIRST_KEY);
        PartitionScan scan = underTest().partitions();
        long first = scan.read(events.get(0)).seq();
        long last = scan.read(events.get(2)).seq();

        assertThat(ids(scan.fetch(0, first, Set.of())))
                .containsExactlyElementsOf(Events.ids(events).subList(1, 3));
        assertThat(ids(scan.fetch(0, first - 1, Set.of()))).containsExactlyElementsOf(Events.ids(events));
        assertThat(scan.fetch(0, last, Set.of()).events()).isEmpty();
        assertThat(scan.fetch(0, last, Set.of()).complete()).isTrue();
    }

    @Test
    default void leavesOutLanes() {
        List<EventEnvelope> events = publishOfKeys(FIRST_KEY, SECOND_KEY, FIRST_KEY, SECOND_KEY);
        PartitionScan scan = underTest().partitions();
        int first = RelayNode.hashOf(events.get(0));
        int second = RelayNode.hashOf(events.get(1));

        PartitionPage fetched = scan.fetch(0, 0, Set.of(first));

        assertThat(ids(fetched))
                .containsExactly(events.get(1).eventId(), events.get(3).eventId());
        assertThat(fetched.complete()).isTrue();
        assertThat(scan.fetch(0, 0, Set.of(first, second)).events()).isEmpty();
    }

    @Test
    default void showsSeveralPartitionsTogetherAsEachAlone() {
        PartitionScan scan = underTest().partitions();
        for (int n = 0; n < 60; n++) {
            underTest().publish(Events.ofKey("key-" + n % 30));
        }
        List<FetchedEvent> third = scan.fetch(3).events();
        List<PartitionFetch> requests = List.of(
                scan.request(5, 0, Set.of(), PartitionScan.EVENTS_MAX),
                scan.request(0, 0, Set.of(KeyHash.of(FIRST_KEY)), PartitionScan.EVENTS_MAX),
                scan.request(3, third.get(1).seq(), Set.of(), 2),
                scan.request(1, Long.MAX_VALUE, Set.of(), PartitionScan.EVENTS_MAX));

        List<PartitionPage> together = scan.fetch(requests);

        assertThat(together).hasSameSizeAs(requests);
        for (int i = 0; i < together.size(); i++) {
            PartitionPage alone = scan.fetch(requests.get(i));
            assertThat(ids(together.get(i))).containsExactlyElementsOf(ids(alone));
            assertThat(together.get(i).complete()).isEqualTo(alone.complete());
            assertThat(PartitionScan.upTo(together.get(i))).isLessThanOrEqualTo(PartitionScan.upTo(alone));
        }
    }

    /** So that events in memory are not read again by every fetch, and do not take the place of new ones. */
    @Test
    default void leavesOutWhatIsInMemoryWhenSeveralPartitionsAreFetchedTogether() {
        List<EventEnvelope> events = publishOfKeys(FIRST_KEY, SECOND_KEY, FIRST_KEY, SECOND_KEY);
        PartitionScan scan = underTest().partitions();
        Set<String> known = Set.of(events.get(0).eventId(), events.get(2).eventId());

        for (int eventsMax : List.of(1, 2)) {
            List<PartitionPage> together =
                    scan.fetch(List.of(scan.requestKnowing(0, known, eventsMax), scan.requestKnowing(1, Set.of(), 1)));

            assertThat(ids(together.get(0)))
                    .containsExactlyElementsOf(
                            List.of(events.get(1).eventId(), events.get(3).eventId())
                                    .subList(0, eventsMax));
            assertThat(together.get(0).complete()).isEqualTo(eventsMax == 2);
            assertThat(ids(scan.fetch(scan.requestKnowing(0, known, eventsMax))))
                    .as("alone as well")
                    .isEqualTo(ids(together.get(0)));
        }
    }

    @Test
    default void showsNoMoreEventsThanAskedForAndSaysSo() {
        List<EventEnvelope> events = publishOfKeys(FIRST_KEY, SECOND_KEY, FIRST_KEY);
        PartitionScan scan = underTest().partitions();

        PartitionPage cut = scan.fetchAtMost(0, 2, PartitionScan.BYTES_MAX);
        assertThat(ids(cut)).containsExactlyElementsOf(Events.ids(events).subList(0, 2));
        assertThat(cut.complete()).isFalse();

        PartitionPage whole = scan.fetchAtMost(0, 3, PartitionScan.BYTES_MAX);
        assertThat(whole.events()).hasSize(3);
        assertThat(whole.complete()).isTrue();
    }

    @Test
    default void countsNothingThatIsLeftOutTowardsALimit() {
        underTest().publish(ofBytes(FIRST_KEY, 1_000));
        underTest().publish(delayedTo(ClaimContract.FAR_AHEAD, SECOND_KEY));
        EventEnvelope wanted = underTest().publish(ofBytes(SECOND_KEY, 10));
        Set<Integer> leftOut = Set.of(RelayNode.hashOf(Events.ofKey(FIRST_KEY)));

        PartitionPage fetched = underTest().partitions().fetchAtMost(0, leftOut, 1, 10);

        assertThat(ids(fetched)).containsExactly(wanted.eventId());
        assertThat(fetched.complete()).isTrue();
    }

    @Test
    default void showsNoMorePayloadBytesThanAskedForAndSaysSo() {
        for (int n = 0; n < 3; n++) {
            underTest().publish(ofBytes(FIRST_KEY, 100));
        }
        PartitionScan scan = underTest().partitions();

        assertThat(scan.fetchAtMost(0, 10, 299).events()).hasSize(2);
        assertThat(scan.fetchAtMost(0, 10, 299).complete()).isFalse();
        assertThat(scan.fetchAtMost(0, 10, 300).events()).hasSize(3);
        assertThat(scan.fetchAtMost(0, 10, 300).complete()).isTrue();
    }

    @Test
    default void countsPayloadBytesOfAPageAndNotCharacters() {
        String json = "\"" + FidelityContract.CAT.repeat(25) + "\"";
        for (int n = 0; n < 3; n++) {
            underTest()
                    .publish(Events.sample()
                            .orderingKey(FIRST_KEY)
                            .payloadJson(json)
                            .build());
        }

        assertThat(underTest().partitions().fetchAtMost(0, 10, 250).events()).hasSize(2);
    }

    @Test
    default void showsTheFirstEventOfAPartitionWhateverItsSize() {
        EventEnvelope large = underTest().publish(ofBytes(FIRST_KEY, 5_000));
        underTest().publish(ofBytes(FIRST_KEY, 1));

        PartitionPage fetched = underTest().partitions().fetchAtMost(0, 10, 1);

        assertThat(ids(fetched)).containsExactly(large.eventId());
        assertThat(fetched.complete()).isFalse();
    }

    @Test
    default void leavesOutADelayedEventWhoseTimeHasNotCome() {
        underTest().publish(delayedTo(ClaimContract.FAR_AHEAD, FIRST_KEY));
        EventEnvelope plain = underTest().publish(Events.ofKey(FIRST_KEY));
        EventEnvelope due = underTest().publish(delayedTo(ClaimContract.LONG_AGO, FIRST_KEY));

        PartitionPage fetched = underTest().partitions().fetch(0);

        assertThat(ids(fetched)).containsExactly(plain.eventId(), due.eventId());
        assertThat(fetched.events()).extracting(FetchedEvent::untilDue).containsOnly(Duration.ZERO);
        assertThat(fetched.complete()).isTrue();
    }

    @Test
    default void showsADelayedEventInItsPlaceOnceItIsDue() {
        PartitionScan scan = underTest().partitions();
        EventEnvelope delayed = underTest().publish(delayedTo(scan.now().plusMillis(100), FIRST_KEY));
        EventEnvelope plain = underTest().publish(Events.ofKey(FIRST_KEY));

        Await.until("the delayed event is due", () -> scan.shows(delayed));

        assertThat(ids(scan.fetch(0))).containsExactly(delayed.eventId(), plain.eventId());
        assertThat(scan.now()).isAfterOrEqualTo(underTest().row(delayed).availableAt());
    }

    @Test
    default void showsAnEventThatWaitsForItsRetryInItsPlaceAndHowLongItWaits() {
        EventEnvelope waiting = underTest().publish(Events.ofKey(FIRST_KEY));
        EventEnvelope behind = underTest().publish(Events.ofKey(FIRST_KEY));
        RelayNode.fail(underTest(), waiting, Duration.ofHours(1));

        List<FetchedEvent> events = underTest().partitions().fetch(0).events();

        assertThat(PartitionScan.ids(events)).containsExactly(waiting.eventId(), behind.eventId());
        assertThat(events.get(0).untilDue()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        assertThat(events.get(0).event().status()).isEqualTo(EventStatus.RETRY);
        assertThat(events.get(0).event().attempts()).isEqualTo(1);
        assertThat(events.get(0).event().state().lastError()).isEqualTo("not yet");
        assertThat(events.get(1).untilDue()).isZero();
    }

    @Test
    default void saysOfADueRetryThatItWaitsNoLonger() {
        EventEnvelope event = underTest().publish(Events.ofKey(FIRST_KEY));
        RelayNode.fail(underTest(), event, Duration.ofMillis(1));
        PartitionScan scan = underTest().partitions();

        Await.until("the retry is due", () -> scan.read(event).untilDue().isZero());

        scan.awaitAfter(underTest().row(event).availableAt());
        assertThat(scan.read(event).untilDue()).isZero();
    }

    @Test
    default void showsNothingThatIsSettled() {
        EventEnvelope done = underTest().publish(Events.ofKey(FIRST_KEY));
        EventEnvelope dead = underTest().publish(Events.ofKey(FIRST_KEY));
        EventEnvelope pending = underTest().publish(Events.ofKey(FIRST_KEY));
        RelayNode.settleAside(underTest(), SettleItems.done(done));
        RelayNode.settleAside(underTest(), SettleItems.dead(dead, 0, "broken"));

        assertThat(ids(underTest().partitions().fetch(0))).containsExactly(pending.eventId());
    }

    @Test
    default void showsAnEventAsItWasPublished() {
        EventEnvelope.Builder full = EventEnvelope.builder("Full")
                .aggregateType("Order")
                .aggregateId("o-1")
                .tenantId("t-1")
                .orderingKey(FIRST_KEY)
                .header("plain", "value")
                .header("cat", FidelityContract.CAT)
                .maxAttempts(3);
        EventEnvelope json = underTest()
                .publish(full.eventId("full-json")
                        .payloadJson("{ \"b\":1,  \"a\":\"" + FidelityContract.CAT + "\" }")
                        .build());
        byte[] every = new byte[256];
        for (int n = 0; n < every.length; n++) {
            every[n] = (byte) n;
        }
        EventEnvelope binary = underTest()
                .publish(full.eventId("full-binary")
                        .payloadJson(null)
                        .payloadBytes(every)
                        .build());
        EventEnvelope plain = underTest().publish(Events.any());

        for (EventEnvelope event : List.of(json, binary, plain)) {
            FetchedEvent read = underTest().partitions().read(event);
            assertThat(read.event().toEnvelope()).isEqualTo(event);
            assertThat(read.event().state()).isEqualTo(underTest().row(event).state());
        }
        assertThat(underTest().partitions().lane(FIRST_KEY).events())
                .extracting(pending -> pending.event().toEnvelope())
                .containsExactly(json, binary);
    }

    private List<EventEnvelope> publishOfKeys(String... keys) {
        List<EventEnvelope> events = new ArrayList<>();
        for (String key : keys) {
            events.add(underTest().publish(Events.ofKey(key)));
        }
        return events;
    }

    private static List<String> ids(PartitionPage fetched) {
        return PartitionScan.ids(fetched.events());
    }

    private static EventEnvelope ofBytes(String key, int size) {
        return EventEnvelope.builder(Events.TYPE)
                .orderingKey(key)
                .payloadBytes(new byte[size])
                .build();
    }

    private static EventEnvelope delayedTo(Instant time, String key) {
        return Events.sample().orderingKey(key).availableAt(time).build();
    }
}
