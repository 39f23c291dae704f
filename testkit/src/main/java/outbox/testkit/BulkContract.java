package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.testkit.OperatorUnderTest.ANNA;
import static outbox.testkit.OperatorUnderTest.in;
import static outbox.testkit.OperatorUnderTest.matching;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.model.EventStatus;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;

/** An act on many events is done call by call; each call is bounded, and together they visit every event once. */
interface BulkContract extends OperatorPart {

    int CALLS_MAX = 100;

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"DONE", "DEAD"})
    default void replaysEachEventOnceAlthoughItIsSettledAgainMeanwhile(State state) {
        List<String> ids = operator().publish(7, state);

        List<ChangedEvents> calls = repeated(
                after -> operator().store().replay(matching(in(state)), after, 3, ANNA),
                replayed -> settle(replayed, state));

        assertThat(changed(calls)).containsExactlyElementsOf(ids);
        assertThat(calls).allMatch(call -> call.eventIds().size() <= 3);
    }

    @Test
    default void withoutAStateReplaysEachEventOnceToo() {
        List<String> ids = new ArrayList<>(operator().publish(3, State.DONE));
        ids.addAll(operator().publish(3, State.DEAD));

        List<ChangedEvents> calls = repeated(
                after -> operator().store().replay(matching(EventFilter.ALL), after, 2, ANNA),
                replayed -> settle(replayed, State.DONE));

        assertThat(changed(calls)).containsExactlyElementsOf(ids);
    }

    @Test
    default void discardsEachEventOnceAlthoughItDiesAgainMeanwhile() {
        List<String> ids = operator().publish(5, State.DEAD);

        List<ChangedEvents> calls =
                repeated(after -> operator().store().discard(matching(in(State.DEAD)), after, 2, ANNA), discarded -> {
                    operator().replay(new Selection.Ids(discarded), discarded.size());
                    settle(discarded, State.DEAD);
                });

        assertThat(changed(calls)).containsExactlyElementsOf(ids);
    }

    @Test
    default void goesThroughChosenEventsAlike() {
        List<String> ids = operator().publish(5, State.DEAD);

        List<ChangedEvents> calls = repeated(
                after -> operator().store().replay(new Selection.Ids(ids), after, 2, ANNA),
                replayed -> settle(replayed, State.DEAD));

        assertThat(changed(calls)).containsExactlyElementsOf(ids);
        assertThat(calls).hasSize(3);
    }

    @Test
    default void knowsWhenItHasReadEverything() {
        operator().publish(3, State.DEAD);
        Selection dead = matching(in(State.DEAD));

        assertThat(operator().store().discard(dead, null, 3, ANNA).next())
                .as("as many as asked for, and no more are left")
                .isNull();
        assertThat(operator().store().replay(dead, null, 3, ANNA).next())
                .as("nothing is left at all")
                .isNull();
        assertThat(operator().store().replay(OperatorUnderTest.ids("no such event"), null, 3, ANNA))
                .isEqualTo(new ChangedEvents(List.of(), null));
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"DONE", "DEAD"})
    default void aCallEndsWhereAReadHasToAndTheNextContinues(State state) {
        for (int n = 0; n < 6; n++) {
            operator().publish(Events.ofType("Other"), state, "broken");
        }
        String last = operator().publish(Events.ofType("Wanted"), state, "broken");
        Selection wanted = matching(in(state).withEventType("Wanted"));
        OperatorStore bounded = operator().fixture().operatorStore(2);

        List<ChangedEvents> calls = repeated(after -> bounded.replay(wanted, after, 10, ANNA), replayed -> {});

        assertThat(changed(calls)).containsExactly(last);
        assertThat(calls.get(0)).as("the first look finds nothing yet").satisfies(call -> {
            assertThat(call.eventIds()).isEmpty();
            assertThat(call.next()).isNotNull();
        });
        assertThat(operator().acts()).as("acts that are written down").hasSize(1);
    }

    /** Calls until everything was looked at. */
    private List<ChangedEvents> repeated(
            Function<@Nullable String, ChangedEvents> call, Consumer<List<String>> meanwhile) {
        List<ChangedEvents> calls = new ArrayList<>();
        @Nullable String after = null;
        do {
            ChangedEvents acted = call.apply(after);
            calls.add(acted);
            assertThat(calls.size()).as("calls until the end").isLessThan(CALLS_MAX);
            if (!acted.eventIds().isEmpty()) {
                meanwhile.accept(acted.eventIds());
            }
            after = acted.next();
        } while (after != null);
        return calls;
    }

    private static List<String> changed(List<ChangedEvents> calls) {
        return calls.stream().flatMap(call -> call.eventIds().stream()).toList();
    }

    /** A relay delivers them, or fails to, between two calls. */
    private void settle(List<String> eventIds, State state) {
        for (String id : eventIds) {
            var event = operator().events().row(id).toEnvelope();
            RelayNode.settleAside(
                    operator().events(),
                    state == State.DONE ? SettleItems.done(event) : SettleItems.dead(event, 0, "broken again"));
            assertThat(operator().events().row(id).status())
                    .isEqualTo(state == State.DONE ? EventStatus.DONE : EventStatus.DEAD);
        }
    }
}
