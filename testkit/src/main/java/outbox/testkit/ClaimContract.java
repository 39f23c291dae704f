package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.model.EventStatus;

/** Claims give each event to one claimer, the longest due first, and no more than was asked for. */
interface ClaimContract extends ContractPart {

    Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
    Instant FAR_AHEAD = Instant.parse("2090-01-01T00:00:00Z");

    @Test
    default void givesNothingWhenNothingIsStored() {
        assertThat(underTest().claimer().claim()).isEmpty();
    }

    @Test
    default void givesAnEventToOneClaimerOnly() {
        List<EventEnvelope> events = underTest().publishAll(Events.many(3));
        Claimer first = underTest().claimer();
        Claimer second = underTest().claimer();

        assertThat(first.claimIds()).containsExactlyElementsOf(Events.ids(events));
        assertThat(second.claim()).isEmpty();
        assertThat(first.claim()).isEmpty();
    }

    @Test
    default void givesEveryEventOnceToManyRacingClaimers() {
        List<EventEnvelope> events = underTest().publishAll(Events.many(200));
        List<String> claimed = Collections.synchronizedList(new ArrayList<>());
        Runnable racer = () -> {
            Claimer claimer = underTest().claimer();
            Await.until("all events are claimed", () -> {
                claimed.addAll(Held.ids(claimer.claim(7)));
                return claimed.size() >= events.size();
            });
        };

        Race.between(Collections.nCopies(4, racer));

        assertThat(claimed).containsExactlyInAnyOrderElementsOf(Events.ids(events));
    }

    @Test
    default void givesTheLongestDueFirst() {
        EventEnvelope plain = underTest().publish(Events.any());
        EventEnvelope third = underTest().publish(availableAt(LONG_AGO.plusSeconds(3)));
        EventEnvelope first = underTest().publish(availableAt(LONG_AGO.plusSeconds(1)));
        EventEnvelope second = underTest().publish(availableAt(LONG_AGO.plusSeconds(2)));

        assertThat(underTest().claimer().claimIds())
                .containsExactly(first.eventId(), second.eventId(), third.eventId(), plain.eventId());
    }

    @Test
    default void givesEventsInTheOrderOfTheirInsertion() {
        List<String> ids = new ArrayList<>();
        ids.addAll(Events.ids(underTest().publishAll(reversed(Events.many(5)))));
        ids.addAll(Events.ids(underTest().publishAll(reversed(Events.many(5)))));
        Claimer claimer = underTest().claimer();

        List<String> claimed = new ArrayList<>();
        for (int n = 0; n < ids.size(); n += 2) {
            claimed.addAll(Held.ids(claimer.claim(2)));
        }

        assertThat(claimed).containsExactlyElementsOf(ids);
    }

    // Event ids ascend as they are made; turned round, an order by id is told from an order of insertion.
    private static List<EventEnvelope> reversed(List<EventEnvelope> events) {
        List<EventEnvelope> copy = new ArrayList<>(events);
        Collections.reverse(copy);
        return copy;
    }

    @Test
    default void givesNoMoreEventsThanAskedFor() {
        underTest().publishAll(Events.many(5));
        Claimer claimer = underTest().claimer();

        assertThat(claimer.claim(2)).hasSize(2);
        assertThat(claimer.claim(2)).hasSize(2);
        assertThat(claimer.claim(2)).hasSize(1);
        assertThat(claimer.claim(2)).isEmpty();
    }

    @Test
    default void givesNoMorePayloadBytesThanAskedFor() {
        for (int n = 0; n < 5; n++) {
            underTest().publish(ofBytes(100));
        }
        Claimer claimer = underTest().claimer();

        assertThat(claimer.claimBytes(250)).hasSize(2);
        assertThat(claimer.claimBytes(1_000)).hasSize(3);
    }

    @Test
    default void countsPayloadBytesAndNotCharacters() {
        String json = "\"" + FidelityContract.CAT.repeat(25) + "\"";
        for (int n = 0; n < 3; n++) {
            underTest().publish(Events.sample().payloadJson(json).build());
        }

        assertThat(underTest().claimer().claimBytes(250)).hasSize(2);
    }

    @Test
    default void givesTheFirstEventWhateverItsSize() {
        EventEnvelope large = underTest().publish(ofBytes(5_000));
        underTest().publish(ofBytes(1));

        assertThat(Held.ids(underTest().claimer().claimBytes(1))).containsExactly(large.eventId());
    }

    private static EventEnvelope ofBytes(int size) {
        return EventEnvelope.ofBytes(Events.TYPE, new byte[size]);
    }

    @Test
    default void leavesOutRecentEventsButNotRetries() {
        EventEnvelope retried = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "not yet"));
        EventEnvelope fresh = underTest().publish(Events.any());

        assertThat(Held.ids(claimer.claimSkipping(Duration.ofDays(1)))).containsExactly(retried.eventId());
        assertThat(Held.ids(claimer.claimSkipping(Duration.ZERO))).containsExactly(fresh.eventId());
    }

    @Test
    default void doesNotTakeADelayedOrAReplayedEventForARecentOne() {
        Claimer claimer = underTest().claimer();
        EventEnvelope replayed = underTest().publish(Events.any());
        claimer.settle(claimer.claimOnly().dead("for now"));
        underTest().replay(replayed.eventId());
        EventEnvelope delayed = underTest().publish(availableAt(LONG_AGO));

        assertThat(Held.ids(claimer.claimSkipping(Duration.ofDays(1))))
                .containsExactlyInAnyOrder(delayed.eventId(), replayed.eventId());
    }

    @Test
    default void claimsADelayedEventOnlyWhenItIsDue() {
        EventEnvelope delayed = underTest().publish(availableAt(FAR_AHEAD));
        EventEnvelope due = underTest().publish(availableAt(LONG_AGO));

        assertThat(underTest().claimer().claimIds()).containsExactly(due.eventId());
        assertThat(underTest().row(delayed).availableAt()).isEqualTo(FAR_AHEAD);
        assertThat(underTest().row(delayed).status()).isEqualTo(EventStatus.NEW);
    }

    @Test
    default void givesAnEventOutByItsStoresClockWhateverItsPublishersClockSays() {
        Instant now = underTest().row(underTest().publish(Events.any())).createdAt();
        EventEnvelope ahead = underTest()
                .publish(Events.sample().occurredAt(now.plusSeconds(3_600)).build());
        EventEnvelope behind = underTest()
                .publish(Events.sample().occurredAt(now.minusSeconds(3_600)).build());

        assertThat(underTest().claimer().claimIds()).contains(ahead.eventId(), behind.eventId());
        assertThat(underTest().row(ahead).createdAt()).isBetween(now, now.plusSeconds(600));
        assertThat(underTest().row(behind).createdAt()).isBetween(now, now.plusSeconds(600));
    }

    @Test
    default void claimsOneEventByItsId() {
        EventEnvelope wanted = underTest().publish(Events.any());
        EventEnvelope other = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        ClaimTerms terms = Claimer.terms(Claimer.LONG);

        assertThat(underTest().fixture().claimStore().claimOne(wanted.eventId(), terms))
                .isTrue();

        assertThat(claimer.claimIds()).containsExactly(other.eventId());
        assertThat(claimer.settle(SettleItems.under(terms.token(), wanted, SettleItems.done(wanted))))
                .isEqualTo(1);
        assertThat(underTest().row(wanted).status()).isEqualTo(EventStatus.DONE);
    }

    @Test
    default void claimsByIdWhatIsNotDue() {
        EventEnvelope delayed = underTest().publish(availableAt(FAR_AHEAD));

        assertThat(underTest().claimer().canTake(delayed.eventId())).isTrue();
    }

    @Test
    default void claimsByIdNothingThatIsClaimedSettledOrUnknown() {
        Claimer claimer = underTest().claimer();
        EventEnvelope dead = Events.any();
        underTest().publishDead(dead, "broken");
        EventEnvelope done = Events.any();
        underTest().publishDone(done, 0);
        EventEnvelope held = underTest().publish(Events.any());
        claimer.claimOnly();

        assertThat(claimer.canTake(held.eventId())).isFalse();
        assertThat(claimer.canTake(done.eventId())).isFalse();
        assertThat(claimer.canTake(dead.eventId())).isFalse();
        assertThat(claimer.canTake("no such event")).isFalse();
    }

    private static EventEnvelope availableAt(Instant time) {
        return Events.sample().availableAt(time).build();
    }
}
