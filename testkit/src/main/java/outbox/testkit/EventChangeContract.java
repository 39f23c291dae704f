package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static outbox.testkit.OperatorUnderTest.ANNA;
import static outbox.testkit.OperatorUnderTest.in;
import static outbox.testkit.OperatorUnderTest.matching;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventHistory.Original;
import outbox.spi.operations.OperatorAction;

/** Dead events can be given up, or given something else to carry, and what was before is not forgotten. */
interface EventChangeContract extends OperatorPart {

    @Test
    default void discardsADeadEventAndSaysSo() {
        String id = operator().publish(1, State.DEAD).get(0);

        assertThat(operator().discard(OperatorUnderTest.ids(id), 10)).containsExactly(id);

        OutboxEvent row = operator().events().row(id);
        assertThat(row.status()).isEqualTo(EventStatus.DONE);
        assertThat(row.state().doneAt()).isNotNull();
        assertThat(row.state().lastError()).isEqualTo("discarded by anna, not delivered; why: because of a cat");
        AuditEntry entry = operator().lastAct();
        assertThat(entry.action()).isEqualTo("discard");
        assertThat(entry.subject()).isEqualTo(id);
        assertThat(entry.detail()).isEqualTo("before: 1 dead; after: done, not delivered; why: because of a cat");
        assertThat(operator().store().history(id).acts()).containsExactly(entry);
    }

    @Test
    default void discardsNothingThatIsNotDead() {
        for (State state : List.of(State.PENDING, State.RETRY, State.DONE)) {
            String id = operator().publish(1, state).get(0);
            OutboxEvent before = operator().events().row(id);

            assertThat(operator().discard(OperatorUnderTest.ids(id, "no such event"), 10))
                    .isEmpty();

            assertThat(operator().events().row(id)).isEqualTo(before);
        }
        assertThat(operator().discard(matching(EventFilter.ALL), 10)).isEmpty();
        assertThat(operator().acts()).isEmpty();
    }

    @Test
    default void discardsWhatMatchesAndNoMoreThanAsked() {
        operator().publish(3, State.DEAD);
        operator().publish(Events.any(), State.DEAD, "another");
        EventFilter broken = in(State.DEAD).withError("broken");

        assertThat(operator().discard(matching(broken), 2)).hasSize(2).isSorted();
        assertThat(operator().discard(matching(broken), 2)).hasSize(1);
        assertThat(operator().discard(matching(broken), 2)).as("again").isEmpty();

        assertThat(operator().list(in(State.DEAD))).hasSize(1);
        assertThat(operator().acts()).hasSize(2);
        assertThat(operator().acts().get(1).subject()).isEqualTo("dead events with the error broken");
    }

    @Test
    default void aDiscardedEventCanBeReplayed() {
        String id = operator().publish(1, State.DEAD).get(0);
        operator().discard(OperatorUnderTest.ids(id), 10);

        operator().replay(OperatorUnderTest.ids(id), 10);

        OutboxEvent row = operator().events().row(id);
        assertThat(row.status()).isEqualTo(EventStatus.NEW);
        assertThat(row.state().lastError())
                .as("that it was discarded is no longer true")
                .isNull();
        assertThat(operator().store().history(id).acts())
                .extracting(AuditEntry::action)
                .containsExactly("discard", "replay");
    }

    @Test
    default void changesWhatADeadEventCarriesAndKeepsWhatWasPublished() {
        EventEnvelope event =
                Events.sample().payloadJson("{\"a\":1}").header("h", "secret").build();
        operator().publish(event, State.DEAD, "broken");

        assertThat(edit(event, new EventEdit("{\"a\":22}", Map.of("i", "new")))).isTrue();

        OutboxEvent row = operator().events().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.DEAD);
        assertThat(row.payloadJson()).isEqualTo("{\"a\":22}");
        assertThat(row.toEnvelope().headers()).isEqualTo(Map.of("i", "new"));
        Original original = original(event);
        assertThat(original.payloadJson()).isEqualTo("{\"a\":1}");
        assertThat(original.headersJson()).isEqualTo("{\"h\":\"secret\"}");
        AuditEntry entry = operator().lastAct();
        assertThat(entry.action()).isEqualTo("edit");
        assertThat(entry.subject()).isEqualTo(event.eventId());
        assertThat(entry.detail())
                .isEqualTo("payload, before: 7 bytes of JSON; after: 8 bytes of JSON; headers, before: h; after: i;"
                        + " why: because of a cat");
        assertThat(operator().store().history(event.eventId()).acts()).containsExactly(entry);
    }

    @Test
    default void keepsTheFirstOriginalThroughSeveralEdits() {
        EventEnvelope event = Events.sample().payloadJson("1").build();
        operator().publish(event, State.DEAD, "broken");
        edit(event, new EventEdit("2", null));
        Original first = original(event);

        edit(event, new EventEdit("3", null));
        edit(event, new EventEdit(null, Map.of("a", "b")));

        assertThat(original(event)).usingRecursiveComparison().isEqualTo(first);
        assertThat(first.payloadJson()).isEqualTo("1");
        assertThat(operator().events().row(event).payloadJson()).isEqualTo("3");
        assertThat(operator().acts()).hasSize(3);
    }

    @Test
    default void changesOnlyWhatIsGiven() {
        EventEnvelope event = Events.sample().payloadJson("1").header("h", "v").build();
        operator().publish(event, State.DEAD, "broken");

        edit(event, new EventEdit("2", null));
        assertThat(operator().events().row(event).toEnvelope().headers()).isEqualTo(Map.of("h", "v"));

        edit(event, new EventEdit(null, Map.of()));
        assertThat(operator().events().row(event).toEnvelope().headers()).isEmpty();
        assertThat(operator().events().row(event).payloadJson()).isEqualTo("2");
    }

    @Test
    default void takesJsonInPlaceOfABinaryPayload() {
        EventEnvelope event = EventEnvelope.builder("Binary")
                .payloadBytes(new byte[] {0, -1, 7})
                .build();
        operator().publish(event, State.DEAD, "broken");

        edit(event, new EventEdit("{\"cat\":\"" + FidelityContract.CAT + "\"}", null));

        OutboxEvent row = operator().events().row(event);
        assertThat(row.payloadBytes()).isNull();
        assertThat(row.payloadJson()).isEqualTo("{\"cat\":\"" + FidelityContract.CAT + "\"}");
        assertThat(original(event).payloadBytes()).containsExactly(0, -1, 7);
        assertThat(original(event).payloadJson()).isNull();
        assertThat(operator().lastAct().detail()).startsWith("payload, before: 3 bytes, binary; after: ");
    }

    @Test
    default void refusesWhatIsNotJsonAndSaysWhere() {
        EventEnvelope event = Events.any();
        operator().publish(event, State.DEAD, "broken");
        OutboxEvent before = operator().events().row(event);

        assertThatThrownBy(() -> edit(event, new EventEdit("{\"a\":}", null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not JSON")
                .hasMessageContaining("at character 5");

        assertThat(operator().events().row(event)).isEqualTo(before);
        assertThat(operator().store().history(event.eventId()).original()).isNull();
        assertThat(operator().acts()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"PENDING", "RETRY", "DONE"})
    default void changesNothingThatIsNotDead(State state) {
        EventEnvelope event = Events.any();
        operator().publish(event, state, "broken");
        OutboxEvent before = operator().events().row(event);

        assertThat(edit(event, new EventEdit("1", null))).isFalse();
        assertThat(operator().store().edit("no such event", new EventEdit("1", null), ANNA))
                .isFalse();

        assertThat(operator().events().row(event)).isEqualTo(before);
        assertThat(operator().acts()).isEmpty();
    }

    @Test
    default void repairsHeadersThatCannotBeRead() {
        EventEnvelope event = Events.any();
        operator().publish(event, State.DEAD, "broken");
        operator().fixture().corruptHeaders(event.eventId(), "not json at all");

        assertThat(edit(event, new EventEdit(null, Map.of("h", "v")))).isTrue();

        assertThat(operator().events().row(event).toEnvelope().headers()).isEqualTo(Map.of("h", "v"));
        assertThat(original(event).headersJson()).isEqualTo("not json at all");
        assertThat(operator().lastAct().detail()).contains("headers, before: unreadable; after: h");
    }

    @Test
    default void countsWhatIsDead() {
        operator().publish(3, State.DEAD);
        operator().publish(1, State.DONE);

        assertThat(operator().store().count(matching(in(State.DEAD)), 10)).isEqualTo(new BoundedCount(3, false));
        assertThat(operator().store().count(matching(in(State.DEAD)), 1)).isEqualTo(new BoundedCount(1, true));
    }

    @Test
    default void anActNeedsNoReason() {
        String id = operator().publish(1, State.DEAD).get(0);

        operator().store().replay(OperatorUnderTest.ids(id), null, 1, new OperatorAction("anna", null));

        assertThat(operator().lastAct().detail()).isEqualTo("before: 1 dead; after: new, with no attempts");
    }

    private boolean edit(EventEnvelope event, EventEdit edit) {
        return operator().store().edit(event.eventId(), edit, ANNA);
    }

    private Original original(EventEnvelope event) {
        return Objects.requireNonNull(
                operator().store().history(event.eventId()).original(), "no original of " + event.eventId());
    }
}
