package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

/** A claim that expires counts against its event, and an event with two such claims is given alone. */
interface SuspectContract extends ContractPart {

    @Test
    default void countsADeathWhenAnExpiredClaimIsTaken() {
        underTest().publish(Events.any());
        Claimer mortal = underTest().claimer();

        assertThat(mortal.claimFor(Claimer.BRIEF).getFirst().event().deaths()).isZero();

        Held taken = underTest().claimer().claimWhenExpired().getFirst();
        assertThat(taken.event().deaths()).isEqualTo(1);
        assertThat(underTest().row(taken.id()).deaths()).isEqualTo(1);
        assertThat(underTest().row(taken.id()).attempts()).isZero();
    }

    @Test
    default void countsADeathWhenAnExpiredClaimIsTakenByItsId() {
        EventEnvelope event = underTest().publish(Events.any());
        underTest().claimer().claimFor(Claimer.BRIEF);
        Claimer other = underTest().claimer();

        Await.until("the claim has expired", () -> other.canTake(event.eventId()));

        assertThat(underTest().row(event).deaths()).isEqualTo(1);
    }

    @Test
    default void countsADeathOfThePublisherThatClaimedAnEventFromTheStart() {
        EventEnvelope event = underTest()
                .publishAll(List.of(Events.any()), Claimer.terms(Claimer.BRIEF))
                .getFirst();

        underTest().claimer().claimWhenExpired();

        assertThat(underTest().row(event).deaths()).isEqualTo(1);
    }

    @Test
    default void countsNoDeathWhenAClaimIsGivenBackOrRenewed() {
        underTest().publishAll(Events.many(2));
        Claimer owner = underTest().claimer();
        List<Held> held = owner.claim();
        owner.release(held.get(0));
        owner.renew(held.get(1));

        assertThat(owner.claimOnly().event().deaths()).isZero();
        assertThat(underTest().row(held.get(1).id()).deaths()).isZero();
    }

    @Test
    default void givesSuspectsOneAtATimeAndApartFromAllOthers() {
        List<String> suspects = Events.ids(underTest().publishAll(Events.many(3)));
        makeSuspects(underTest().claimer());
        EventEnvelope innocent = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();

        Held first = claimer.claimSuspectWhenExpired();
        Held second = claimer.claimSuspectWhenExpired();

        assertThat(List.of(first.id(), second.id())).isSubsetOf(suspects).doesNotHaveDuplicates();
        assertThat(first.event().deaths()).isEqualTo(2);
        assertThat(claimer.claimIds()).containsExactly(innocent.eventId());
    }

    @Test
    default void givesNoSuspectWhereThereIsNone() {
        underTest().publishAll(Events.many(3));
        Claimer claimer = underTest().claimer();

        assertThat(claimer.claimSuspect(Claimer.LONG)).isEmpty();

        claimer.claimFor(Claimer.BRIEF);
        List<Held> taken = claimer.claimWhenExpired();
        claimer.release(taken.toArray(Held[]::new));
        assertThat(claimer.claimSuspect(Claimer.LONG)).isEmpty();
        assertThat(claimer.claim()).hasSize(3);
    }

    @Test
    default void countsEveryDeathOfASuspectsClaimants() {
        underTest().publish(Events.any());
        Claimer mortal = underTest().claimer();
        makeSuspects(mortal);

        for (int deaths = 2; deaths <= 6; deaths++) {
            assertThat(mortal.claimSuspectWhenExpired(Claimer.BRIEF).event().deaths())
                    .isEqualTo(deaths);
        }
    }

    @Test
    default void aSuspectThatIsGivenBackIsStillOne() {
        underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        makeSuspects(claimer);

        claimer.release(claimer.claimSuspectWhenExpired());

        assertThat(claimer.claim()).isEmpty();
        assertThat(claimer.claimSuspectWhenExpired().event().deaths()).isEqualTo(2);
    }

    @Test
    default void anAnswerEndsTheSuspicion() {
        List<EventEnvelope> events = underTest().publishAll(Events.many(2));
        Claimer claimer = underTest().claimer();
        makeSuspects(claimer);
        Held first = claimer.claimSuspectWhenExpired();
        Held second = claimer.claimSuspectWhenExpired();

        claimer.settle(
                first.retry(Duration.ZERO, "not yet"), second.postponed(Duration.ZERO, "the destination is down"));

        assertThat(events).allMatch(event -> underTest().row(event).deaths() == 0);
        assertThat(claimer.claimIds()).containsExactlyInAnyOrderElementsOf(Events.ids(events));
    }

    @Test
    default void aReplayedEventIsNoSuspect() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        makeSuspects(claimer);
        claimer.settle(claimer.claimSuspectWhenExpired().dead("the process ended"));

        underTest().replay(event.eventId());

        assertThat(claimer.claimOnly().event().deaths()).isZero();
    }

    @Test
    default void aSuspectIsNotTakenByItsId() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        makeSuspects(claimer);
        claimer.release(claimer.claimSuspectWhenExpired());

        assertThat(claimer.canTake(event.eventId())).isFalse();
    }

    // Two holders in a row let their claims expire.
    private static void makeSuspects(Claimer mortal) {
        mortal.claimFor(Claimer.BRIEF);
        Await.nonEmpty("the claims have expired", () -> mortal.claimFor(Claimer.BRIEF));
    }
}
