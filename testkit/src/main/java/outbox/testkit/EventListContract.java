package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.testkit.OperatorUnderTest.in;
import static outbox.testkit.OperatorUnderTest.pages;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;

/** Lists of events give each once, in their order, page by page and filter by filter. */
interface EventListContract extends OperatorPart {

    @ParameterizedTest
    @EnumSource(State.class)
    default void listsTheEventsOfAStateAndNoOthers(State state) {
        List<String> expected = new ArrayList<>();
        for (int n = 0; n < 2; n++) {
            for (State each : State.values()) {
                String id = operator().publish(1, each).get(0);
                if (each == state || (state == State.PENDING && each == State.RETRY)) {
                    expected.add(id);
                }
            }
        }

        assertThat(operator().list(in(state))).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    default void listsThePendingAsTheyWaitAndTheSettledLatestFirst(State state) {
        List<String> expected = operator().publish(4, state);
        if (state == State.DONE || state == State.DEAD) {
            Collections.reverse(expected);
        }

        assertThat(operator().list(in(state))).containsExactlyElementsOf(expected);
    }

    @Test
    default void listsEventsOfAllStatesLatestFirst() {
        List<String> all = new ArrayList<>();
        for (State state : State.values()) {
            all.addAll(operator().publish(2, state));
        }
        Collections.reverse(all);

        assertThat(operator().list(EventFilter.ALL)).containsExactlyElementsOf(all);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    default void pagesWithoutGapsOrRepeats(State state) {
        operator().publish(7, state);

        for (int limit : List.of(1, 2, 3, 7)) {
            List<EventPage> pages = pages(operator().store(), in(state), limit);
            assertThat(OperatorUnderTest.ids(pages))
                    .containsExactlyElementsOf(operator().list(in(state)));
            assertThat(pages)
                    .allSatisfy(page -> assertThat(page.events().size()).isLessThanOrEqualTo(limit));
            assertThat(pages).noneMatch(EventPage::cut);
        }
    }

    @Test
    default void pagesEventsOfOneTransaction() {
        List<EventEnvelope> events = operator().events().publishAll(Events.many(5));

        assertThat(OperatorUnderTest.ids(pages(operator().store(), in(State.PENDING), 2)))
                .hasSize(5)
                .doesNotHaveDuplicates();
        events.forEach(event -> RelayNode.settleAside(operator().events(), SettleItems.dead(event, 0, "broken")));
        assertThat(OperatorUnderTest.ids(pages(operator().store(), in(State.DEAD), 2)))
                .hasSize(5)
                .doesNotHaveDuplicates();
        assertThat(OperatorUnderTest.ids(pages(operator().store(), EventFilter.ALL, 2)))
                .hasSize(5)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(State.class)
    default void goesOnWhereAPageEndedWhileEventsAreAdded(State state) {
        operator().publish(4, state);
        List<String> before = operator().list(in(state));
        EventPage first = operator().store().events(new EventQuery(in(state), null, 2));
        operator().publish(2, state);

        EventPage second = operator().store().events(new EventQuery(in(state), first.next(), 2));

        assertThat(OperatorUnderTest.ids(List.of(first, second))).containsExactlyElementsOf(before);
    }

    @Test
    default void anEmptyListHasNothingMore() {
        assertThat(operator().store().events(new EventQuery(EventFilter.ALL, null, 10)))
                .isEqualTo(new EventPage(List.of(), null, false));
    }

    @Test
    default void showsWhatIsKnownOfAnEvent() {
        EventEnvelope event = EventEnvelope.builder("Wanted")
                .aggregateType("Order")
                .aggregateId("a-1")
                .tenantId("t-1")
                .orderingKey("k-1")
                .payloadJson("{}")
                .build();
        operator().publish(event, State.DEAD, "broken");

        EventSummary summary = operator()
                .store()
                .events(new EventQuery(in(State.DEAD), null, 1))
                .events()
                .get(0);

        OutboxEvent row = operator().events().row(event);
        assertThat(summary)
                .isEqualTo(new EventSummary(
                        event.eventId(),
                        summary.seq(),
                        "Wanted",
                        "Order",
                        "a-1",
                        "t-1",
                        "k-1",
                        row.occurredAt(),
                        row.state()));
        assertThat(summary.state().status()).isEqualTo(EventStatus.DEAD);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    default void filtersByTypeKeyAggregateAndTenant(State state) {
        List<String> wanted = new ArrayList<>();
        for (int n = 0; n < 2; n++) {
            wanted.add(operator().publish(sample("Wanted", "1").build(), state, "broken"));
            operator().publish(sample("Other", "2").build(), state, "broken");
            operator().publish(Events.any(), state, "broken");
        }
        List<String> inOrder =
                operator().list(in(state)).stream().filter(wanted::contains).toList();

        for (EventFilter filter : List.of(
                in(state).withEventType("Wanted"),
                in(state).withKey("k-1"),
                in(state).withAggregateId("a-1"),
                in(state).withTenantId("t-1"),
                in(state).withEventType("Wanted").withKey("k-1").withTenantId("t-1"),
                EventFilter.ALL.withKey("k-1"))) {
            assertThat(operator().list(filter)).as(filter.describe()).containsExactlyInAnyOrderElementsOf(inOrder);
            assertThat(OperatorUnderTest.ids(pages(operator().store(), filter, 1)))
                    .as(filter.describe())
                    .containsExactlyElementsOf(operator().list(filter));
        }
        assertThat(operator().list(in(state).withEventType("wanted"))).isEmpty();
        assertThat(operator().list(in(state).withEventType("Wanted").withKey("k-2")))
                .isEmpty();
    }

    private static EventEnvelope.Builder sample(String type, String number) {
        return EventEnvelope.builder(type)
                .payloadJson("{}")
                .orderingKey("k-" + number)
                .aggregateId("a-" + number)
                .tenantId("t-" + number);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    default void filtersByTheTimeOfCreation(State state) {
        PartitionScan clock = operator().events().partitions();
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            ids.addAll(operator().publish(1, state));
            clock.awaitAfter(clock.now());
        }
        Instant second = operator().events().row(ids.get(1)).createdAt();
        Instant third = operator().events().row(ids.get(2)).createdAt();

        assertThat(operator().list(in(state).createdBetween(second, third))).containsExactly(ids.get(1));
        assertThat(operator().list(in(state).createdBetween(null, second))).containsExactly(ids.get(0));
        assertThat(operator().list(EventFilter.ALL.createdBetween(third, null))).containsExactly(ids.get(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk 100% full", "disk*full", "*100%*", "*%*", "disk 100% full*", "*disk 100% full"})
    default void findsAnErrorByItsPattern(String pattern) {
        String wanted = operator().publish(Events.any(), State.DEAD, "disk 100% full");
        operator().publish(Events.any(), State.DEAD, "Disk 100 Full");

        assertThat(operator().list(in(State.DEAD).withError(pattern))).containsExactly(wanted);
    }

    @Test
    default void takesEveryCharacterOfAPatternForItselfButTheStar() {
        String underscore = operator().publish(Events.any(), State.DEAD, "no file_name here");
        String backslash = operator().publish(Events.any(), State.DEAD, "C:\\temp is [gone]!");
        String lines = operator().publish(Events.any(), State.DEAD, "first\nsecond");
        operator().publish(Events.any(), State.DEAD, "no filename, C:temp, 100 here");

        assertThat(operator().list(in(State.DEAD).withError("*_*"))).containsExactly(underscore);
        assertThat(operator().list(in(State.DEAD).withError("no file_name*"))).containsExactly(underscore);
        assertThat(operator().list(in(State.DEAD).withError("*:\\t*"))).containsExactly(backslash);
        assertThat(operator().list(in(State.DEAD).withError("*[gone]!"))).containsExactly(backslash);
        assertThat(operator().list(in(State.DEAD).withError("first*second"))).containsExactly(lines);
        assertThat(operator().list(in(State.DEAD).withError("file_name")))
                .as("a part is not the whole")
                .isEmpty();
        assertThat(operator().list(in(State.DEAD).withError("*"))).hasSize(4);
    }

    @Test
    default void takesNoErrorForAnEmptyOne() {
        String none = operator().publish(1, State.DONE).get(0);

        assertThat(operator().list(in(State.DONE).withError("*"))).containsExactly(none);
        assertThat(operator().list(in(State.DONE).withError(""))).containsExactly(none);
        assertThat(operator().list(in(State.DONE).withError("?"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"RETRY", "DEAD"})
    default void losesNothingWhenAReadIsCut(State state) {
        for (int n = 0; n < 12; n++) {
            operator().publish(Events.any(), state, n % 5 == 0 ? "rare" : "common");
        }
        EventFilter rare = in(state).withError("r*e");

        List<EventPage> pages = pages(operator().fixture().operatorStore(3), rare, 2);

        assertThat(OperatorUnderTest.ids(pages))
                .hasSize(3)
                .containsExactlyElementsOf(operator().list(rare));
        assertThat(pages).anyMatch(EventPage::cut);
        assertThat(pages)
                .allSatisfy(page -> assertThat(page.cut())
                        .isEqualTo(page.next() != null && page.events().size() < 2));
    }

    @Test
    default void listsARowThatAForeignProgramHasWritten() {
        String foreign = operator().publish(Events.ofKey("k"), State.DEAD, "broken");
        String other = operator().publish(Events.ofKey("k"), State.DEAD, "broken");
        operator().fixture().corruptHeaders(foreign, "not json at all");

        assertThat(operator().list(in(State.DEAD))).containsExactly(other, foreign);
        assertThat(operator().list(EventFilter.ALL.withKey("k"))).containsExactly(other, foreign);
        assertThat(operator().store().find(foreign)).isPresent();
    }
}
