package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;

/** The store under test as an operator has it, with the steps of which the contract is made. */
final class OperatorUnderTest {

    static final OperatorAction ANNA = new OperatorAction("anna", "because of a cat");

    private static final int PAGES_MAX = 1_000;

    private final OperatorFixture fixture;
    private final StoreUnderTest store;

    OperatorUnderTest(OperatorFixture fixture) {
        this.fixture = fixture;
        this.store = new StoreUnderTest(fixture);
    }

    OperatorFixture fixture() {
        return fixture;
    }

    StoreUnderTest events() {
        return store;
    }

    OperatorStore store() {
        return fixture.operatorStore();
    }

    /** Publishes this number of events one after the other, so that times, ids and places have the same order. */
    List<String> publish(int count, State state) {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            ids.add(publish(Events.any(), state, "broken"));
        }
        return ids;
    }

    String publish(EventEnvelope event, State state, String error) {
        store.publish(event);
        switch (state) {
            case PENDING -> {}
            case RETRY -> RelayNode.settleAside(store, SettleItems.retry(event, 0, Duration.ofHours(1), error));
            case DONE -> RelayNode.settleAside(store, SettleItems.done(event));
            case DEAD -> RelayNode.settleAside(store, SettleItems.dead(event, 0, error));
        }
        return event.eventId();
    }

    /** The first call of a replay; it is enough where there are no more than the maximum. */
    List<String> replay(Selection selection, int max) {
        return store().replay(selection, null, max, ANNA).eventIds();
    }

    /** The same for discarding. */
    List<String> discard(Selection selection, int max) {
        return store().discard(selection, null, max, ANNA).eventIds();
    }

    List<String> list(EventFilter filter) {
        EventPage page = store().events(new EventQuery(filter, null, 100));
        assertThat(page.next()).isNull();
        assertThat(page.cut()).isFalse();
        return ids(page);
    }

    /** All pages, one after the other. */
    static List<EventPage> pages(OperatorStore store, EventFilter filter, int limit) {
        List<EventPage> pages = new ArrayList<>();
        String after = null;
        do {
            EventPage page = store.events(new EventQuery(filter, after, limit));
            pages.add(page);
            after = page.next();
            assertThat(pages.size()).as("pages of %s", filter).isLessThan(PAGES_MAX);
        } while (after != null);
        return pages;
    }

    static List<String> ids(EventPage page) {
        return page.events().stream().map(EventSummary::eventId).toList();
    }

    static List<String> ids(List<EventPage> pages) {
        return pages.stream().flatMap(page -> ids(page).stream()).toList();
    }

    static EventFilter in(@Nullable State state) {
        return EventFilter.ALL.withState(state);
    }

    static Selection ids(String... eventIds) {
        return new Selection.Ids(Arrays.asList(eventIds));
    }

    static Selection matching(EventFilter filter) {
        return new Selection.Matching(filter);
    }

    /** What people did, latest first; what nodes did is left out. */
    List<AuditEntry> acts() {
        return store().audit(new AuditQuery(null, 100)).stream()
                .filter(entry -> entry.who().equals(ANNA.who()))
                .toList();
    }

    AuditEntry lastAct() {
        List<AuditEntry> acts = acts();
        assertThat(acts).isNotEmpty();
        return acts.get(0);
    }
}
