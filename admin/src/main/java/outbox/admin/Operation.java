package outbox.admin;

import static outbox.admin.Operation.Kind.DESTROY;
import static outbox.admin.Operation.Kind.DO;
import static outbox.admin.Operation.Kind.SEE;
import static outbox.admin.Role.ADMIN;
import static outbox.admin.Role.OPERATOR;
import static outbox.admin.Role.VIEWER;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.DeadGroup;
import outbox.admin.view.DestinationView;
import outbox.admin.view.EventView;
import outbox.admin.view.KeyView;
import outbox.admin.view.NodeView;
import outbox.admin.view.OperationResult;
import outbox.admin.view.PartitionView;
import outbox.admin.view.RouteView;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause.Subject;

/**
 * The registry of everything that an operator can see and do. A constant and its {@link Request} make an operation; {@link StoreAdmin}
 * carries it out. The route of the server ({@code /api/sources/NAME/} and the id), the command, the page or button of
 * the console, the OpenAPI document and the reference page all follow from here.
 */
public enum Operation {
    OVERVIEW(Request.Overview.class, "Shows pending and dead events, latencies, nodes, partitions and pauses."),
    EVENTS(Request.Events.class, "Lists events by state and filter: pending events oldest first, others latest first."),
    EVENT(Request.Event.class, "Shows one event with its whole history, without its payload."),
    KEY(Request.Key.class, "Shows a key's lane, and why it does not move."),
    DEAD(Request.Dead.class, "Groups dead events by error, the largest group first."),
    NODES(Request.Nodes.class, "Lists the nodes that run a relay, and the partitions they own."),
    PARTITIONS(Request.Partitions.class, "Lists the partitions and their owners."),
    DESTINATIONS(
            Request.Destinations.class, "Lists the destinations with their states and next probes. Needs a server."),
    ROUTES(Request.Routes.class, "Lists the routes in the order in which they are tried. Needs a server."),
    PAUSES(Request.Pauses.class, "Lists what is paused, why, and by whom."),
    AUDIT(Request.Audit.class, "Lists the changes that operators made, latest first."),
    DOCTOR(Request.Doctor.class, "Lists problems with evidence and advice, the worst first."),
    /** Needs the right to read payloads, and no role. */
    REVEAL(
            DO,
            VIEWER,
            Request.Reveal.class,
            "Shows an event's payload and headers. The audit log records who did this."),
    REPLAY(DO, OPERATOR, Request.Replay.class, "Makes done or dead events pending again, to be delivered once more."),
    PAUSE(
            DO,
            OPERATOR,
            Request.Pause.class,
            "Pauses the source, a route, a destination, a partition, a key or a node."),
    RESUME(DO, OPERATOR, Request.Resume.class, "Ends a pause, or the drain of a node."),
    RESEND(
            DO,
            OPERATOR,
            Request.Resend.class,
            "Sends done events of a period again, and does not change them. Needs a server."),
    EDIT(
            DESTROY,
            ADMIN,
            Request.Edit.class,
            "Changes the payload or the headers of a dead event. The original is kept."),
    DISCARD(DESTROY, ADMIN, Request.Discard.class, "Settles dead events as done without delivering them."),
    DRAIN(DO, ADMIN, Request.Drain.class, "Hands a node's partitions over to other nodes, until the node is resumed."),
    REBALANCE(
            DO,
            ADMIN,
            Request.Rebalance.class,
            "Shows how the partitions are spread over the nodes, or changes their number."),
    PURGE(DESTROY, ADMIN, Request.Purge.class, "Deletes done events that are old enough.");

    private final Kind kind;
    private final Role role;
    private final Class<? extends Request<?>> requestType;
    private final String summary;

    /** How much care an operation needs. */
    public enum Kind {
        /** Changes nothing, and is not audited. */
        SEE,
        /** Is audited. */
        DO,
        /** Is audited, and must be confirmed: the former state is lost or hidden. */
        DESTROY
    }

    Operation(Class<? extends Request<?>> requestType, String summary) {
        this(SEE, VIEWER, requestType, summary);
    }

    Operation(Kind kind, Role role, Class<? extends Request<?>> requestType, String summary) {
        this.kind = kind;
        this.role = role;
        this.requestType = requestType;
        this.summary = summary;
    }

    /** The name of the route, the command and the button. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Kind kind() {
        return kind;
    }

    /** The lowest role that may use it. */
    public Role role() {
        return role;
    }

    /** The role or right that it needs, as part of a sentence. */
    public String needs() {
        return this == REVEAL
                ? "the right payload-read"
                : "the role " + role.name().toLowerCase(Locale.ROOT);
    }

    public Class<? extends Request<?>> requestType() {
        return requestType;
    }

    /** A record, or a list of records. */
    public Type resultType() {
        Type type = requestType;
        while (type instanceof Class<?> each) {
            type = each.getGenericInterfaces()[0];
        }
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    /** What it does, in one or two sentences. */
    public String summary() {
        return summary;
    }

    public static Optional<Operation> of(String id) {
        return Arrays.stream(values())
                .filter(operation -> operation.id().equals(id))
                .findFirst();
    }

    public static Operation of(Request<?> request) {
        return Arrays.stream(values())
                .filter(operation -> operation.requestType == request.getClass())
                .findFirst()
                .orElseThrow();
    }

    /**
     * The request of an operation: a record for each, which checks itself.
     *
     * @param <R> the result: a record, or a list of records
     */
    public sealed interface Request<R> {

        /** How many events one request changes at most; more take further requests. */
        int CHUNK_MAX = 1_000;

        /** A request that works on many events, a bounded number at a time. {@link BulkRun} repeats it. */
        sealed interface Bulk extends Request<OperationResult> {

            /** Whether only to count. */
            boolean dryRun();

            /** Where to continue, as the last result named it; null begins with the first event. */
            @Nullable
            String after();

            /** The same request for another step. */
            Bulk with(boolean dryRun, @Nullable String after);
        }

        record Overview() implements Request<outbox.admin.view.Overview> {}

        record Events(EventQuery query) implements Request<EventPage> {}

        record Event(String eventId) implements Request<EventView> {}

        record Key(String key) implements Request<KeyView> {
            public Key {
                if (key.isEmpty()) {
                    throw new IllegalArgumentException("a key has at least one character");
                }
            }
        }

        record Dead() implements Request<List<DeadGroup>> {}

        record Nodes() implements Request<List<NodeView>> {}

        record Partitions() implements Request<List<PartitionView>> {}

        record Destinations() implements Request<List<DestinationView>> {}

        /** Marks the route that the sample would take. */
        record Routes(RouteView.@Nullable Sample sample) implements Request<List<RouteView>> {}

        record Pauses() implements Request<List<outbox.spi.relay.Pause>> {}

        record Audit(AuditQuery query) implements Request<List<AuditEntry>> {}

        record Doctor() implements Request<List<Finding>> {}

        record Reveal(String eventId) implements Request<outbox.admin.view.Payload> {}

        record Replay(
                Selection selection,
                boolean dryRun,
                @Nullable String reason,
                @Nullable String after) implements Bulk {

            /** From the first on. */
            public Replay(Selection selection, boolean dryRun, @Nullable String reason) {
                this(selection, dryRun, reason, null);
            }

            @Override
            public Replay with(boolean counts, @Nullable String place) {
                return new Replay(selection, counts, reason, place);
            }
        }

        record Pause(Subject subject, String reason) implements Request<OperationResult> {
            public Pause {
                requireReason("pausing", reason);
                if (subject.name().isEmpty() && subject.kind() != outbox.spi.relay.Pause.Kind.SOURCE) {
                    throw new IllegalArgumentException("a pause of " + subject.kind() + " needs a name");
                }
            }
        }

        record Resume(Subject subject) implements Request<OperationResult> {}

        /**
         * Sends the done events of a period again.
         *
         * @param from inclusive, by creation
         * @param before exclusive
         * @param eventType a type; null for all
         * @param destination by name; it may be another one than before
         */
        record Resend(
                Instant from,
                Instant before,
                @Nullable String eventType,
                String destination,
                @Nullable String after,
                boolean dryRun)
                implements Bulk {
            public Resend {
                if (!from.isBefore(before)) {
                    throw new IllegalArgumentException(
                            "from must be earlier than before, were " + from + " and " + before);
                }
            }

            @Override
            public Resend with(boolean counts, @Nullable String place) {
                return new Resend(from, before, eventType, destination, place, counts);
            }
        }

        /**
         * Changes a dead event.
         *
         * @param replay whether it is also to be delivered
         */
        record Edit(String eventId, EventEdit edit, boolean replay, String reason) implements Request<OperationResult> {
            public Edit {
                requireReason("an edit", reason);
            }
        }

        record Discard(
                Selection selection,
                boolean dryRun,
                String reason,
                @Nullable String after) implements Bulk {
            public Discard {
                requireReason("discarding", reason);
            }

            /** From the first on. */
            public Discard(Selection selection, boolean dryRun, String reason) {
                this(selection, dryRun, reason, null);
            }

            @Override
            public Discard with(boolean counts, @Nullable String place) {
                return new Discard(selection, counts, reason, place);
            }
        }

        record Drain(String nodeId, String reason) implements Request<OperationResult> {
            public Drain {
                requireReason("draining", reason);
            }
        }

        /** Changes the number of partitions; null leaves it. */
        record Rebalance(@Nullable Integer partitions) implements Request<OperationResult> {}

        /** Deletes events that were done longer ago than this. */
        record Purge(Duration olderThan, boolean dryRun) implements Bulk {
            public Purge {
                if (olderThan.isNegative()) {
                    throw new IllegalArgumentException("older-than must not be negative, was " + olderThan);
                }
            }

            /** A purge always begins with the oldest event. */
            @Override
            public @Nullable String after() {
                return null;
            }

            @Override
            public Purge with(boolean counts, @Nullable String place) {
                return new Purge(olderThan, counts);
            }
        }

        private static void requireReason(String what, String reason) {
            if (reason.isBlank()) {
                throw new IllegalArgumentException(what + " needs a reason, which the audit log shows");
            }
        }
    }
}
