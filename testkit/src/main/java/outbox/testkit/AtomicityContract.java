package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.DuplicateEventException;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.spi.PublishStore;

/** The row exists exactly when its transaction committed, and each event id once. */
interface AtomicityContract extends ContractPart {

    @Test
    default void rollbackLeavesNothing() {
        EventEnvelope event = Events.any();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(event), null);
            session.rollback();
        }

        assertThat(underTest().pauses(event)).isFalse();
        assertThat(underTest().claimer().claim()).isEmpty();
    }

    @Test
    default void closingAnOpenSessionLeavesNothing() {
        EventEnvelope event = Events.any();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(event), null);
        }

        assertThat(underTest().pauses(event)).isFalse();
    }

    @Test
    default void noReaderSeesAnEventBeforeItsCommit() {
        EventEnvelope event = Events.any();
        Claimer claimer = underTest().claimer();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(event), null);
            assertThat(underTest().pauses(event)).isFalse();
            assertThat(claimer.claim()).isEmpty();
            assertThat(claimer.canTake(event.eventId())).isFalse();
            session.commit();
        }

        assertThat(underTest().pauses(event)).isTrue();
        assertThat(claimer.claimIds()).containsExactly(event.eventId());
    }

    @Test
    default void storesAllEventsOfATransactionOrNone() {
        EventEnvelope first = Events.any();
        EventEnvelope second = Events.any();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(first), null);
            session.store().store(List.of(second), null);
            session.rollback();
            session.begin();
            session.store().store(List.of(second), null);
            session.commit();
        }

        assertThat(underTest().pauses(first)).isFalse();
        assertThat(underTest().pauses(second)).isTrue();
    }

    @Test
    default void knowsWhetherATransactionIsActive() {
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            PublishStore store = session.store();
            assertThat(store.isTransactionActive()).isFalse();
            session.begin();
            assertThat(store.isTransactionActive()).isTrue();
            session.commit();
            assertThat(store.isTransactionActive()).isFalse();
            session.begin();
            session.rollback();
            assertThat(store.isTransactionActive()).isFalse();
        }
    }

    @Test
    default void runsActionsAfterTheCommitWhenOthersSeeTheRow() {
        EventEnvelope event = Events.any();
        List<Boolean> seen = new ArrayList<>();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(event), null);
            session.store().afterCommit(() -> seen.add(underTest().pauses(event)));
            assertThat(seen).isEmpty();
            session.commit();
        }

        assertThat(seen).containsExactly(true);
    }

    @Test
    default void forgetsActionsOfATransactionThatRolledBack() {
        List<String> ran = new ArrayList<>();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().afterCommit(() -> ran.add("rolled back"));
            session.rollback();
            session.begin();
            session.store().afterCommit(() -> ran.add("committed"));
            session.commit();
            session.begin();
            session.commit();
        }

        assertThat(ran).containsExactly("committed");
    }

    @Test
    default void refusesAnEventIdThatIsStoredAndNamesIt() {
        EventEnvelope first =
                underTest().publish(Events.sample().payloadJson("{\"n\":1}").build());
        OutboxEvent before = underTest().row(first);
        EventEnvelope again = Events.sample()
                .eventId(first.eventId())
                .payloadJson("{\"n\":2}")
                .build();

        assertThatThrownBy(() -> underTest().publish(again))
                .isInstanceOfSatisfying(
                        DuplicateEventException.class,
                        e -> assertThat(e.eventIds()).containsExactly(first.eventId()))
                .hasMessageContaining(first.eventId());
        assertThat(underTest().row(first)).isEqualTo(before);
    }

    @Test
    default void refusesABatchWithAnEventIdThatIsStored() {
        EventEnvelope stored = underTest().publish(Events.any());
        OutboxEvent before = underTest().row(stored);
        EventEnvelope fresh = Events.any();

        assertThatThrownBy(() -> underTest().publishAll(List.of(fresh, stored, Events.any())))
                .isInstanceOfSatisfying(
                        DuplicateEventException.class,
                        e -> assertThat(e.eventIds()).contains(stored.eventId()));
        assertThat(underTest().pauses(fresh)).isFalse();
        assertThat(underTest().row(stored)).isEqualTo(before);
    }

    @Test
    default void refusesAnEventIdThatIsDone() {
        EventEnvelope event = Events.any();
        underTest().publishDone(event, 0);

        assertThatThrownBy(() -> underTest().publish(event)).isInstanceOf(DuplicateEventException.class);
        assertThat(underTest().claimer().claim()).isEmpty();
    }

    @Test
    default void anEventIdIsFreeAgainAfterARollback() {
        EventEnvelope event = Events.any();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(event), null);
            session.rollback();
        }

        underTest().publish(event);

        assertThat(underTest().pauses(event)).isTrue();
    }
}
