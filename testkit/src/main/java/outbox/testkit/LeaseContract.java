package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.EventStatus;

/** A claim holds for its lease, can be prolonged and given back, and belongs to its token alone. */
interface LeaseContract extends ContractPart {

    /** By which whoever claims an event counts its age. */
    @Test
    default void showsTheTimeByWhichItStores() {
        Instant before = underTest().fixture().claimStore().now();
        Instant stored = underTest().row(underTest().publish(Events.any())).createdAt();

        assertThat(stored).isBetween(before, underTest().fixture().claimStore().now());
    }

    @Test
    default void givesAnEventOutAgainWhenItsClaimHasExpired() {
        EventEnvelope event = underTest().publish(Events.any());
        underTest().claimer().claimFor(Claimer.BRIEF);
        Claimer second = underTest().claimer();

        List<Held> taken = second.claimWhenExpired();

        assertThat(Held.ids(taken)).containsExactly(event.eventId());
        assertThat(taken.get(0).event().attempts()).isZero();
        assertThat(second.settle(taken.get(0).done())).isEqualTo(1);
    }

    @Test
    default void renewsAnExpiredClaimThatNoOtherInstanceTook() {
        underTest().publishAll(Events.many(2));
        Claimer owner = underTest().claimer();
        Claimer other = underTest().claimer();
        List<Held> held = owner.claimFor(Claimer.BRIEF);
        Held renewed = held.get(0);
        awaitExpiryOf(held.get(1), other);

        assertThat(owner.renew(renewed)).containsExactly(renewed.claim());

        assertThat(other.canTake(renewed.id())).isFalse();
        assertThat(other.claim()).isEmpty();
        assertThat(owner.settle(renewed.done())).isEqualTo(1);
    }

    @Test
    default void aRenewedClaimOutlivesItsFirstLease() {
        underTest().publishAll(Events.many(2));
        Claimer owner = underTest().claimer();
        Claimer other = underTest().claimer();
        List<Held> held = owner.claimFor(Claimer.BRIEF);
        owner.renew(held.get(0));
        awaitExpiryOf(held.get(1), other);

        assertThat(other.canTake(held.get(0).id())).isFalse();
    }

    @Test
    default void renewsNoClaimThatAnotherInstanceTook() {
        underTest().publishAll(Events.many(2));
        Claimer owner = underTest().claimer();
        List<Held> held = owner.claimFor(Claimer.BRIEF);
        awaitExpiryOf(held.get(1), underTest().claimer());

        Set<Claim> still = owner.renew(held.get(0), held.get(1));

        assertThat(still).containsExactly(held.get(0).claim());
    }

    @Test
    default void renewsNoClaimOfASettledEvent() {
        underTest().publish(Events.any());
        Claimer owner = underTest().claimer();
        Held held = owner.claimOnly();
        owner.settle(held.done());

        assertThat(owner.renew(held)).isEmpty();
    }

    // Both claims of one look expire at the same instant of the store's clock, so when one can be taken the other
    // has expired as well.
    private static void awaitExpiryOf(Held held, Claimer other) {
        Await.until("a brief claim has expired", () -> other.canTake(held.id()));
    }

    @Test
    default void settlesUnderAnExpiredClaimThatNoOtherInstanceTook() {
        underTest().publishAll(Events.many(2));
        Claimer owner = underTest().claimer();
        List<Held> held = owner.claimFor(Claimer.BRIEF);
        awaitExpiryOf(held.get(1), underTest().claimer());

        assertThat(owner.settle(held.get(0).done())).isEqualTo(1);
        assertThat(underTest().row(held.get(0).id()).status()).isEqualTo(EventStatus.DONE);
    }

    @Test
    default void givesAReleasedEventOutAtOnceAndCountsNoAttempt() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer owner = underTest().claimer();
        Held held = owner.claimOnly();

        assertThat(owner.release(held)).isEqualTo(1);

        Held again = underTest().claimer().claimOnly();
        assertThat(again.id()).isEqualTo(event.eventId());
        assertThat(again.event().attempts()).isZero();
        assertThat(again.event().status()).isEqualTo(EventStatus.NEW);
        assertThat(again.event().state().lastAttemptAt()).isNull();
    }

    @Test
    default void releasesOnlyWhatIsClaimed() {
        underTest().publishAll(Events.many(2));
        Claimer owner = underTest().claimer();
        Claimer other = underTest().claimer();
        List<Held> held = owner.claimFor(Claimer.BRIEF);
        awaitExpiryOf(held.get(1), other);

        assertThat(owner.release(held.get(0), held.get(1))).isEqualTo(1);

        assertThat(other.claimIds()).containsExactly(held.get(0).id());
    }

    @Test
    default void aReleasedClaimSettlesNothing() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer owner = underTest().claimer();
        Held held = owner.claimOnly();
        owner.release(held);

        assertThat(owner.settle(held.done())).isZero();
        assertThat(owner.renew(held)).isEmpty();
        assertThat(underTest().row(event).status()).isEqualTo(EventStatus.NEW);
    }

    @Test
    default void claimsAnEventForItsPublisherFromTheStart() {
        ClaimTerms terms = Claimer.terms(Claimer.LONG);
        List<EventEnvelope> events = underTest().publishAll(Events.many(2), terms);
        Claimer claimer = underTest().claimer();

        assertThat(claimer.claim()).isEmpty();
        assertThat(claimer.canTake(events.get(0).eventId())).isFalse();
        assertThat(claimer.settle(SettleItems.under(terms.token(), events.get(0), SettleItems.done(events.get(0)))))
                .isEqualTo(1);
        assertThat(underTest()
                        .fixture()
                        .claimStore()
                        .renew(Set.of(claimOf(events.get(1), terms)), Duration.ofMinutes(1)))
                .hasSize(1);
    }

    @Test
    default void givesAPublishersEventOutWhenItsClaimHasExpired() {
        ClaimTerms terms = Claimer.terms(Claimer.BRIEF);
        EventEnvelope event =
                underTest().publishAll(List.of(Events.any()), terms).get(0);
        Claimer other = underTest().claimer();

        assertThat(Held.ids(other.claimWhenExpired())).containsExactly(event.eventId());
        assertThat(other.settle(SettleItems.under(terms.token(), event, SettleItems.done(event))))
                .isZero();
    }

    @Test
    default void leavesADelayedEventFreeWhoeverPublishesIt() {
        EventEnvelope event = Events.sample()
                .availableAt(Instant.parse("2020-01-01T00:00:00Z"))
                .build();
        underTest().publishAll(List.of(event), Claimer.terms(Claimer.LONG));

        assertThat(underTest().claimer().claimIds()).containsExactly(event.eventId());
    }

    @Test
    default void countsALeaseByTheStoresClockWhateverThePublishersClockSays() {
        Instant now = underTest().row(underTest().publish(Events.any())).createdAt();
        Claimer claimer = underTest().claimer();
        claimer.claimOnly();
        EventEnvelope behind =
                Events.sample().occurredAt(now.minusSeconds(7_200)).build();
        EventEnvelope ahead = Events.sample().occurredAt(now.plusSeconds(7_200)).build();
        underTest().publishAll(List.of(behind), Claimer.terms(Claimer.LONG));
        underTest().publishAll(List.of(ahead), Claimer.terms(Claimer.BRIEF));

        assertThat(Held.ids(claimer.claimWhenExpired())).containsExactly(ahead.eventId());
    }

    private static Claim claimOf(EventEnvelope event, ClaimTerms terms) {
        return new Claim(event.eventId(), terms.token());
    }
}
