package outbox.spi.operations;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/**
 * Reads and changes stored events for operator tools. Every query reads at most a fixed number of rows, whatever the
 * size of the table. Every change is written to the audit in the same transaction, and repeating it changes nothing.
 */
public interface OperatorStore {

    // ---- queries -------------------------------------------------------------------------------------------------

    EventPage events(EventQuery query);

    Optional<OutboxEvent> find(String eventId);

    /** The records about an event; empty lists if it does not exist. */
    EventHistory history(String eventId);

    /**
     * The pending events of a key's lane, in the order of their insertion. They include the events of other keys with
     * the same hash, and delayed events that are not due yet.
     */
    List<EventSummary> lane(String key, int limit);

    /**
     * Done events that match, with payload and headers, in the order of their ids, to be sent again. A query that
     * reaches its limit of rows returns fewer events, or none, and a {@code next}.
     *
     * @param filter its state must be done
     * @param after continues behind this id; null: from the first
     */
    EventRange range(EventFilter filter, @Nullable String after, int limit);

    List<AuditEntry> audit(AuditQuery query);

    /** The nodes, and the owner of each partition. */
    ClusterReport cluster();

    /**
     * The number of settled events in the selection, counted up to the limit. Pending ones do not count. If the query
     * reaches its limit of rows before that, the result says that there may be more.
     */
    BoundedCount count(Selection selection, int limit);

    /** The searches over settled events that have their own index. */
    SearchIndexes searchIndexes();

    // ---- changes -------------------------------------------------------------------------------------------------

    /**
     * Makes settled events new again, dead and done ones alike, without attempts and error; pending ones do not change.
     * The audit has one entry for all changed events, which is also in the history of each; without a change there is
     * none. {@link AuditText} writes it.
     *
     * <p>A call reads a bounded number of events, so it may change fewer than the maximum, or none, and have a {@code
     * next}. The order of the scan does not depend on the state of an event: repeated calls until there is no {@code
     * next} visit each event once, even one that is settled again meanwhile. A call with a filter skips an event that
     * another transaction is changing.
     *
     * @param after the {@link ChangedEvents#next} of the previous call with the same selection; null: from the first
     * @param max the most events of one call, which is one transaction
     */
    ChangedEvents replay(Selection selection, @Nullable String after, int max, OperatorAction act);

    /**
     * Settles dead events as done without delivering them; the last error records that, and the reason. Continues as
     * {@link #replay} does.
     */
    ChangedEvents discard(Selection selection, @Nullable String after, int max, OperatorAction act);

    /**
     * Changes the payload or headers of a dead event, and keeps what was published. False when it is not dead.
     *
     * @throws IllegalArgumentException when the payload is not JSON; it names the fault and its position
     */
    boolean edit(String eventId, EventEdit edit, OperatorAction act);

    /** Writes an audit entry for an action outside the store. */
    void note(OperatorAction act, String action, String subject);

    /** The optional indexes. Without them a search reads the latest events only. */
    record SearchIndexes(boolean byKey, boolean byType) {}
}
