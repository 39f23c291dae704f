package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Ordering;
import outbox.UnsupportedOrderingException;
import outbox.spi.ClaimStore;

/** With {@link Ordering#KEY}, the events of one key are given out one at a time and in their order. */
interface OrderContract extends ContractPart {

    @Test
    default void givesOutOnlyTheHeadOfAKey() {
        EventEnvelope first = underTest().publish(Events.ofKey("k"));
        underTest().publish(Events.ofKey("k"));
        EventEnvelope other = underTest().publish(Events.ofKey("other"));
        Claimer claimer = underTest().keyClaimer();

        assertThat(claimer.claimIds()).containsExactly(first.eventId(), other.eventId());
        assertThat(claimer.claim()).isEmpty();
        assertThat(underTest().keyClaimer().claim()).isEmpty();
    }

    @Test
    default void givesOutTheHeadOfABatchOnly() {
        List<EventEnvelope> batch = List.of(Events.ofKey("k"), Events.ofKey("k"), Events.ofKey("k"));
        underTest().publishAll(batch);

        assertThat(deliveredInTurn(underTest().keyClaimer())).containsExactlyElementsOf(Events.ids(batch));
    }

    @Test
    default void givesOutTheSecondOfAKeyOnceTheFirstIsDone() {
        underTest().publish(Events.ofKey("k"));
        EventEnvelope second = underTest().publish(Events.ofKey("k"));
        Claimer claimer = underTest().keyClaimer();

        claimer.settle(claimer.claimOnly().done());

        assertThat(claimer.claimIds()).containsExactly(second.eventId());
    }

    @Test
    default void holdsAKeyAndOnlyThatKeyWhileItsRetryIsPending() {
        underTest().publish(Events.ofKey("k"));
        underTest().publish(Events.ofKey("k"));
        Claimer claimer = underTest().keyClaimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ofHours(1), "not yet"));
        EventEnvelope other = underTest().publish(Events.ofKey("other"));

        assertThat(claimer.claimIds()).containsExactly(other.eventId());
    }

    @Test
    default void givesARetryOutBeforeTheEventsBehindIt() {
        EventEnvelope first = underTest().publish(Events.ofKey("k"));
        EventEnvelope second = underTest().publish(Events.ofKey("k"));
        Claimer claimer = underTest().keyClaimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "not yet"));

        assertThat(deliveredInTurn(claimer)).containsExactly(first.eventId(), second.eventId());
    }

    @Test
    default void aDeadEventReleasesItsKey() {
        underTest().publish(Events.ofKey("k"));
        EventEnvelope second = underTest().publish(Events.ofKey("k"));
        Claimer claimer = underTest().keyClaimer();

        claimer.settle(claimer.claimOnly().dead("broken"));

        assertThat(claimer.claimIds()).containsExactly(second.eventId());
    }

    @Test
    default void aReleasedEventIsStillTheHeadOfItsKey() {
        EventEnvelope first = underTest().publish(Events.ofKey("k"));
        underTest().publish(Events.ofKey("k"));
        Claimer claimer = underTest().keyClaimer();

        claimer.release(claimer.claimOnly());

        assertThat(claimer.claimIds()).containsExactly(first.eventId());
    }

    @Test
    default void anExpiredEventIsStillTheHeadOfItsKey() {
        EventEnvelope first = underTest().publish(Events.ofKey("k"));
        underTest().publish(Events.ofKey("k"));
        underTest().keyClaimer().claimFor(Claimer.BRIEF);

        assertThat(Held.ids(underTest().keyClaimer().claimWhenExpired())).containsExactly(first.eventId());
    }

    @Test
    default void eventsWithoutAKeyWaitForNothing() {
        Claimer claimer = underTest().keyClaimer();
        underTest().publishAll(List.of(Events.ofKey(null), Events.ofKey("k")));
        claimer.claim().forEach(held -> claimer.settle(held.retry(Duration.ofHours(1), "not yet")));
        underTest().publishAll(List.of(Events.ofKey(null), Events.ofKey("other")));
        assertThat(claimer.claim()).hasSize(2);
        List<EventEnvelope> more = underTest().publishAll(List.of(Events.ofKey(null), Events.ofKey(null)));

        assertThat(claimer.claimIds()).containsExactlyElementsOf(Events.ids(more));
    }

    @Test
    default void tellsKeysApartThatDifferOnlyInCaseAccentOrTrailingSpace() {
        List<EventEnvelope> events = List.of(
                Events.ofKey("key"), Events.ofKey("KEY"), Events.ofKey("kéy"), Events.ofKey("key "), Events.ofKey(""));
        underTest().publishAll(events);

        assertThat(underTest().keyClaimer().claimIds()).containsExactlyElementsOf(Events.ids(events));
    }

    @Test
    default void keepsTheOrderOfTheLongestKeys() {
        String common = FidelityContract.CAT.repeat(254);
        EventEnvelope first = underTest().publish(Events.ofKey(common + "a"));
        underTest().publish(Events.ofKey(common + "a"));
        EventEnvelope other = underTest().publish(Events.ofKey(common + "b"));

        assertThat(underTest().keyClaimer().claimIds()).containsExactly(first.eventId(), other.eventId());
    }

    @Test
    default void aDelayedEventDoesNotHoldItsKey() {
        underTest().publish(delayed("k", ClaimContract.FAR_AHEAD));
        EventEnvelope second = underTest().publish(Events.ofKey("k"));
        EventEnvelope third = underTest().publish(Events.ofKey("k"));

        assertThat(deliveredInTurn(underTest().keyClaimer())).containsExactly(second.eventId(), third.eventId());
    }

    @Test
    default void aDelayedEventThatIsDueHasItsPlaceInItsKey() {
        EventEnvelope first = underTest().publish(Events.ofKey("k"));
        // Due for longer than the first, and yet inserted after it.
        EventEnvelope second = underTest().publish(delayed("k", ClaimContract.LONG_AGO));

        assertThat(deliveredInTurn(underTest().keyClaimer())).containsExactly(first.eventId(), second.eventId());
    }

    private static EventEnvelope delayed(String key, Instant until) {
        return Events.sample().orderingKey(key).availableAt(until).build();
    }

    @Test
    default void aLateCommitWaitsForTheEventOfItsKeyThatIsHeld() {
        Claimer claimer = underTest().keyClaimer();
        EventEnvelope late = Events.ofKey("k");
        try (StoreFixture.Session slow = underTest().fixture().newSession()) {
            slow.begin();
            slow.store().store(List.of(late), null);
            EventEnvelope quick = underTest().publish(Events.ofKey("k"));
            Held held = claimer.claimOnly();
            assertThat(held.id()).isEqualTo(quick.eventId());
            slow.commit();

            assertThat(claimer.claim()).isEmpty();
            claimer.settle(held.done());
        }

        assertThat(claimer.claimIds()).containsExactly(late.eventId());
    }

    @Test
    default void aLateCommitGoesFirstWhenNothingOfItsKeyIsHeld() {
        EventEnvelope late = Events.ofKey("k");
        EventEnvelope quick;
        try (StoreFixture.Session slow = underTest().fixture().newSession()) {
            slow.begin();
            slow.store().store(List.of(late), null);
            quick = underTest().publish(Events.ofKey("k"));
            slow.commit();
        }

        assertThat(deliveredInTurn(underTest().keyClaimer())).containsExactly(late.eventId(), quick.eventId());
    }

    @Test
    default void holdsAKeyForWhoeverClaimedOneOfItsEventsById() {
        underTest().publish(Events.ofKey("k"));
        EventEnvelope second = underTest().publish(Events.ofKey("k"));
        Claimer claimer = underTest().keyClaimer();

        assertThat(claimer.canTake(second.eventId())).isTrue();

        assertThat(claimer.claim()).isEmpty();
    }

    @Test
    default void keepsTheOrderOfEachKeyWithRacingClaimers() {
        KeyRace race = new KeyRace(underTest(), 60);
        race.publish();

        Race.between(List.of(race::work, race::work, race::work));

        race.assertOrderKept();
    }

    @Test
    default void keepsTheOrderOfEachKeyWhileItIsBeingPublished() {
        KeyRace race = new KeyRace(underTest(), 60);

        Race.between(List.of(race::publish, race::work, race::work));

        race.assertOrderKept();
    }

    @Test
    default void isWorkedWithOneOrderingOnly() {
        ClaimStore store = underTest().fixture().claimStore();
        store.open(Ordering.KEY);
        store.open(Ordering.KEY);

        assertThatThrownBy(() -> underTest().fixture().claimStore().open(Ordering.NONE))
                .isInstanceOf(UnsupportedOrderingException.class);
        store.open(Ordering.KEY);
    }

    @Test
    default void isWorkedWithoutOrderByAllOrNobody() {
        ClaimStore store = underTest().fixture().claimStore();
        store.open(Ordering.NONE);

        assertThatThrownBy(() -> store.open(Ordering.KEY)).isInstanceOf(UnsupportedOrderingException.class);
    }

    /** Claims and settles, one look after the other, until there is no more. */
    private static List<String> deliveredInTurn(Claimer claimer) {
        List<String> delivered = new ArrayList<>();
        for (List<Held> look = claimer.claim(); !look.isEmpty(); look = claimer.claim()) {
            look.forEach(held -> {
                delivered.add(held.id());
                claimer.settle(held.done());
            });
        }
        return delivered;
    }
}
