package outbox.relay.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import outbox.OutboxException;
import outbox.internal.OutageLog;
import outbox.relay.internal.model.Pacing;
import outbox.spi.TimeSource;

/**
 * Logs events for operators: single events at DEBUG, changes and faults above it. An outage of the store or of a
 * destination has a line when it begins, one a minute, and one when it ends.
 */
public final class RelayLog implements RelayListener {

    private static final Logger LOG = System.getLogger("outbox.relay");

    /** A heartbeat does not prove that another part works, so these outages end after a time without failures. */
    private final OutageLog parts;

    private final OutageLog destinations;

    public RelayLog(TimeSource time) {
        this.parts = new OutageLog(LOG, time, Pacing.MEASURED.failureRestMax().multipliedBy(5));
        this.destinations = new OutageLog(LOG, time);
    }

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.PartFailed failed -> parts.failed(nameOf(failed), failed.error(), failed.cause());
            case RelayEvent.BreakerChanged change -> on(change);
            default -> log(levelOf(event), event);
        }
        if (event instanceof RelayEvent.HeartbeatSent) {
            parts.works();
        }
    }

    // All parts use the same store, so its outage is logged once.
    private static String nameOf(RelayEvent.PartFailed failed) {
        return failed.cause() instanceof OutboxException ? "the store" : failed.part();
    }

    private void on(RelayEvent.BreakerChanged change) {
        log(Level.DEBUG, change);
        String name = "destination " + change.destination();
        switch (change.state()) {
            case OPEN -> destinations.failed(name, change.reason());
            case HALF_OPEN -> {} // The probe decides.
            case CLOSED -> destinations.works(name);
        }
    }

    private static void log(Level level, RelayEvent event) {
        if (LOG.isLoggable(level)) {
            LOG.log(level, textOf(event));
        }
    }

    static Level levelOf(RelayEvent event) {
        return switch (event) {
            case RelayEvent.Joined e -> Level.INFO;
            case RelayEvent.Left e -> Level.INFO;
            case RelayEvent.MembersChanged e -> Level.INFO;
            case RelayEvent.MembersMissing e -> e.nodeIds().isEmpty() ? Level.INFO : Level.WARNING;
            case RelayEvent.MemberEnded e -> Level.WARNING;
            case RelayEvent.Prepared e -> Level.INFO;
            case RelayEvent.Rebalanced e -> Level.INFO;
            case RelayEvent.HeartbeatSent e -> Level.TRACE;
            case RelayEvent.DeliveriesPaused e -> Level.WARNING;
            case RelayEvent.DeliveriesResumed e -> Level.INFO;
            case RelayEvent.PartitionAcquired e -> e.deaths() > 1 ? Level.WARNING : Level.INFO;
            case RelayEvent.AcquireRefused e -> Level.DEBUG;
            case RelayEvent.PartitionReleased e -> e.abandoned() > 0 ? Level.WARNING : Level.INFO;
            case RelayEvent.PartitionLost e -> Level.WARNING;
            case RelayEvent.Fenced e -> Level.WARNING;
            case RelayEvent.NodesForgotten e -> Level.WARNING;
            case RelayEvent.Repartitioned e -> Level.INFO;
            case RelayEvent.Claimed e -> Level.DEBUG;
            case RelayEvent.Parked e -> Level.DEBUG;
            case RelayEvent.Unparked e -> Level.DEBUG;
            case RelayEvent.LanesOverflowed e -> Level.INFO;
            case RelayEvent.LanesFull e -> Level.WARNING;
            case RelayEvent.Delivered e -> Level.TRACE;
            case RelayEvent.Acknowledged e -> Level.TRACE;
            case RelayEvent.Dropped e -> Level.DEBUG;
            case RelayEvent.Rerouted e -> Level.INFO;
            case RelayEvent.DestinationChanged e -> Level.INFO;
            case RelayEvent.AttemptFailed e -> e.attempt() == 1 ? Level.INFO : Level.WARNING;
            case RelayEvent.Postponed e -> Level.DEBUG;
            case RelayEvent.SuspectTried e -> Level.WARNING;
            case RelayEvent.Died e -> Level.WARNING;
            case RelayEvent.Settled e -> Level.DEBUG;
            case RelayEvent.BreakerChanged e -> Level.DEBUG; // The outage has lines of its own.
            case RelayEvent.AddressChanged e -> e.available() ? Level.INFO : Level.WARNING;
            case RelayEvent.Paused e -> Level.INFO;
            case RelayEvent.Resumed e -> Level.INFO;
            case RelayEvent.HotPartition e -> Level.WARNING;
            case RelayEvent.HotKey e -> Level.WARNING;
            case RelayEvent.PartFailed e -> Level.WARNING;
        };
    }

    static String textOf(RelayEvent event) {
        return switch (event) {
            case RelayEvent.Joined e -> "node " + e.nodeId() + " joined as session " + e.session();
            case RelayEvent.Left e -> "node " + e.nodeId() + " left: " + e.reason();
            case RelayEvent.MembersChanged e -> "live nodes: " + e.nodeIds();
            case RelayEvent.MembersMissing e ->
                e.nodeIds().isEmpty() ? "no node misses heartbeats any more" : "nodes miss heartbeats: " + e.nodeIds();
            case RelayEvent.MemberEnded e ->
                "node " + e.nodeId()
                        + " has ended without leaving: its connection to the store is closed, and its last heartbeat"
                        + " was " + e.silentFor() + " ago";
            case RelayEvent.Prepared e -> "ready for partitions after " + e.took();
            case RelayEvent.Rebalanced e -> "partitions of this node change from " + e.before() + " to " + e.wanted();
            case RelayEvent.HeartbeatSent e -> "heartbeat took " + e.took() + "; " + e.members() + " live node(s)";
            case RelayEvent.DeliveriesPaused e ->
                "deliveries are paused until the next heartbeat: the last one that the store answered was sent "
                        + e.sinceHeartbeat() + " ago, and other nodes may consider this one dead";
            case RelayEvent.DeliveriesResumed e -> "deliveries resume: the store answered a heartbeat";
            case RelayEvent.PartitionAcquired e ->
                "partition " + e.partition() + " acquired at epoch " + e.epoch()
                        + (e.deaths() == 0
                                ? ""
                                : "; previous owners in a row that ended without releasing it: " + e.deaths());
            case RelayEvent.AcquireRefused e -> "partition " + e.partition() + " is still owned by another node";
            case RelayEvent.PartitionReleased e ->
                "partition " + e.partition() + " released at epoch " + e.epoch() + abandoned(e.abandoned());
            case RelayEvent.PartitionLost e ->
                "partition " + e.partition() + " lost at epoch " + e.epoch() + ": " + e.reason()
                        + abandoned(e.abandoned());
            case RelayEvent.Fenced e ->
                "settlements of " + e.events() + " event(s) of partition " + e.partition()
                        + " were too late and changed nothing; the next owner delivers these events again";
            case RelayEvent.NodesForgotten e -> "nodes without heartbeats were removed: " + e.nodeIds();
            case RelayEvent.Repartitioned e -> "the table now has " + e.partitions() + " partitions";
            case RelayEvent.Claimed e -> "claimed " + e.events() + " event(s) of partition " + e.partition();
            case RelayEvent.Parked e -> "lane " + e.lane() + " of partition " + e.partition() + " waits: " + e.reason();
            case RelayEvent.Unparked e -> "lane " + e.lane() + " of partition " + e.partition() + " continues";
            case RelayEvent.LanesOverflowed e ->
                "more than " + e.lanes() + " lanes of partition " + e.partition()
                        + " wait: further waiting lanes are skipped, all others are delivered";
            case RelayEvent.LanesFull e ->
                e.lanes() + " lanes of partition " + e.partition() + " wait"
                        + (e.waitFor() == null ? "" : ", many of them for " + e.waitFor())
                        + ": no new events are read until one of them continues";
            case RelayEvent.Delivered e ->
                "delivered an event of partition " + e.partition() + " to " + e.destination() + " after " + e.latency();
            case RelayEvent.Acknowledged e ->
                "event " + e.eventId() + " was acknowledged by " + e.destination()
                        + " and continues to its next destination";
            case RelayEvent.Dropped e ->
                "event " + e.eventId() + " was dropped by route " + e.route() + ": " + e.reason();
            case RelayEvent.Rerouted e -> "the routes are now " + e.routes();
            case RelayEvent.DestinationChanged e ->
                "destination " + e.destination() + " was " + e.change().name().toLowerCase(Locale.ROOT);
            case RelayEvent.AttemptFailed e ->
                "event " + e.eventId() + " to " + e.destination() + ", attempt " + e.attempt() + " failed, next in "
                        + e.retryIn() + ": " + e.error();
            case RelayEvent.Postponed e ->
                "event " + e.eventId() + " waits for " + e.retryIn() + ", " + e.destination() + " is unavailable: "
                        + e.error();
            case RelayEvent.SuspectTried e ->
                "event " + e.eventId() + " is tried alone; nodes in a row that ended while they had it: " + e.deaths();
            case RelayEvent.Died e ->
                "event " + e.eventId() + " to " + e.destination() + " is dead after attempt " + e.attempt() + ": "
                        + e.reason();
            case RelayEvent.Settled e ->
                "settled in partition " + e.partition() + ": " + e.done() + " done, " + e.retry() + " to retry, "
                        + e.dead() + " dead, in " + e.took();
            case RelayEvent.BreakerChanged e ->
                "circuit breaker of " + e.destination() + " is " + e.state() + ": " + e.reason();
            case RelayEvent.AddressChanged e ->
                "address " + e.address() + " of destination " + e.destination()
                        + (e.available() ? " is available again: " : " is unavailable, its events wait: ") + e.reason();
            case RelayEvent.Paused e ->
                "paused: " + e.pause().subject().describe() + ", by "
                        + e.pause().by() + ": " + e.pause().reason();
            case RelayEvent.Resumed e -> "resumed: " + e.subject().describe();
            case RelayEvent.HotPartition e ->
                "partition " + e.partition() + " is hot: " + percent(e.share()) + " of the latest " + e.events()
                        + " events";
            case RelayEvent.HotKey e ->
                "key " + e.key() + " of partition " + e.partition() + " is hot: " + percent(e.share())
                        + " of its latest " + e.events() + " events";
            case RelayEvent.PartFailed e -> e.part() + " failed: " + e.error();
        };
    }

    private static String abandoned(int deliveries) {
        return deliveries == 0 ? "" : "; " + deliveries + " deliveries in flight may be repeated by the next owner";
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }
}
