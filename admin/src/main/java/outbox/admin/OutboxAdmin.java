package outbox.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.DeadGroup;
import outbox.admin.view.DestinationView;
import outbox.admin.view.EventView;
import outbox.admin.view.KeyView;
import outbox.admin.view.NodeView;
import outbox.admin.view.OperationResult;
import outbox.admin.view.Overview;
import outbox.admin.view.PartitionView;
import outbox.admin.view.Payload;
import outbox.admin.view.RouteView;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.Finding;
import outbox.spi.relay.Pause;

/**
 * What an operator can see and do of one source, in the name of one person. {@link Operation} has the same list, with
 * who may do what.
 *
 * <p>Looking is bounded, whatever the source holds. Doing is audited, and doing it again changes nothing. There are
 * two kinds of it: one beside the store, and one that asks a server.
 *
 * <p>An event, node or destination that is not there is a {@link java.util.NoSuchElementException}; what makes no sense
 * is an {@link IllegalArgumentException} that says what would; what only a running relay knows or can do is a
 * {@link NeedsServerException} where there is none.
 */
public interface OutboxAdmin {

    // ---- see -----------------------------------------------------------------------------------------------------

    Overview overview();

    EventPage events(EventQuery query);

    /** An event with its whole history, and without its payload. */
    EventView event(String eventId);

    /** A key's lane, and in words why it does not move. */
    KeyView key(String key);

    /** Dead events by why they died, the largest group first. */
    List<DeadGroup> dead();

    List<NodeView> nodes();

    List<PartitionView> partitions();

    List<DestinationView> destinations();

    /**
     * The routes in their order.
     *
     * @param sample marks the one that this event would take; null marks none
     */
    List<RouteView> routes(RouteView.@Nullable Sample sample);

    List<Pause> holds();

    /** Latest first. */
    List<AuditEntry> audit(AuditQuery query);

    /** What is wrong, the worst first, with the evidence and what to do; empty when all is well. */
    List<Finding> doctor();

    // ---- do ------------------------------------------------------------------------------------------------------

    /** What an event carries. That somebody looked is audited. */
    Payload reveal(String eventId);

    /** Makes settled events new again; or only counts them. */
    OperationResult replay(Request.Replay request);

    OperationResult pause(Request.Pause request);

    OperationResult resume(Pause.Subject subject);

    /** Sends done events once more, to a destination that is named, and leaves their rows alone. */
    OperationResult resend(Request.Resend request);

    /** Changes what a dead event carries, and replays it if asked to. The original is kept. */
    OperationResult edit(Request.Edit request);

    /** Settles dead events as done without delivering them. */
    OperationResult discard(Request.Discard request);

    /** Takes a node's partitions away in good order, until it is resumed. */
    OperationResult drain(Request.Drain request);

    /** Spreads the partitions over the nodes, in another number if one is given; null leaves the number. */
    OperationResult rebalance(@Nullable Integer partitions);

    /** Deletes done events that are old enough, or only counts them. */
    OperationResult purge(Request.Purge request);
}
