package outbox.spi.operations;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/**
 * What the tools of an operator need of stored events. Every look costs at most a fixed number of rows, whatever the
 * table holds; everything that is done is written to the audit in the same transaction, and doing it again changes
 * nothing.
 */
public interface OperatorStore {

    // ---- see -----------------------------------------------------------------------------------------------------

    EventPage events(EventQuery query);

    Optional<OutboxEvent> find(String eventId);

    /** What is written down about an event; empty lists for one that is not there. */
    EventHistory history(String eventId);

    /**
     * The pending events of a key's lane, in the order of their insertion. Keys of the same hash share a lane: their
     * events are among them, and so are delayed ones that are not due yet.
     */
    List<EventSummary> lane(String key, int limit);

    /**
     * Done events that match, to be sent again: with what they carry, in the order of their ids. An answer may have
     * fewer than the limit, or none, and a {@code next}: then it ended where a look has to.
     *
     * @param filter of which the state must be done
     * @param after continues behind this id; null begins with the first
     */
    EventRange range(EventFilter filter, @Nullable String after, int limit);

    List<AuditEntry> audit(AuditQuery query);

    /** Who is there, and who owns what. */
    ClusterReport cluster();

    /**
     * How many settled events are meant, counted no further than the limit. Pending ones do not count. Where a look has
     * to end before that, there may be more, which the answer says.
     */
    BoundedCount count(Selection selection, int limit);

    /** Which searches over settled events have an index of their own here. */
    SearchIndexes searchIndexes();

    // ---- do ------------------------------------------------------------------------------------------------------

    /**
     * Makes settled events new again, dead and done ones alike, with no attempts and no error behind them; pending ones
     * are left alone. The audit has one entry for all of them, and each event's history has that entry too; where nothing is
     * changed there is none. {@link AuditText} has the words.
     *
     * <p>A call looks at a bounded number of events, in an order in which an event keeps its place whatever becomes of
     * it, so it may change fewer than the maximum, or none, and have a {@code next}. Who goes on until there is none has
     * visited each event once, even one that is settled again meanwhile. Of all that match, one that somebody else is
     * changing right then is passed over.
     *
     * @param after the {@link ChangedEvents#next} of the call before, on the same selection; null begins with the first
     * @param max how many at most, in one transaction
     */
    ChangedEvents replay(Selection selection, @Nullable String after, int max, OperatorAction act);

    /**
     * Settles dead events as done without delivering them; the last error says that, and why. Goes on as {@link #replay}
     * does.
     */
    ChangedEvents discard(Selection selection, @Nullable String after, int max, OperatorAction act);

    /**
     * Changes what a dead event carries, and keeps what was published. False when it is not dead.
     *
     * @throws IllegalArgumentException when the payload is not JSON, that says what was met where
     */
    boolean edit(String eventId, EventEdit edit, OperatorAction act);

    /** Writes down what was done elsewhere, or seen. */
    void note(OperatorAction act, String action, String subject);

    /** Indexes that an operator may choose to have. Without them a search looks at the latest events only. */
    record SearchIndexes(boolean byKey, boolean byType) {}
}
