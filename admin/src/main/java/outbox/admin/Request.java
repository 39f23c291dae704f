package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause.Subject;

/** What the operations that do something are asked with. Each checks itself. */
public sealed interface Request {

    /** How many events one request changes at most; who wants more asks again. */
    int CHUNK_MAX = 1_000;

    /**
     * Replay these.
     *
     * @param dryRun only count
     * @param after goes on behind what the last answer said; null begins with the first
     */
    record Replay(
            Selection selection,
            boolean dryRun,
            @Nullable String reason,
            @Nullable String after) implements Request {

        /** From the first on. */
        public Replay(Selection selection, boolean dryRun, @Nullable String reason) {
            this(selection, dryRun, reason, null);
        }
    }

    record Pause(Subject subject, String reason) implements Request {
        public Pause {
            requireReason("pausing", reason);
        }
    }

    /**
     * Send the done events of a time again.
     *
     * @param from inclusive, by creation
     * @param before exclusive
     * @param eventType a type; null for all
     * @param destination by name; need not be where they went
     * @param after continues behind this event; null begins with the first
     */
    record Resend(
            Instant from,
            Instant before,
            @Nullable String eventType,
            String destination,
            @Nullable String after,
            boolean dryRun)
            implements Request {
        public Resend {
            if (!from.isBefore(before)) {
                throw new IllegalArgumentException("from must be earlier than before, were " + from + " and " + before);
            }
        }
    }

    /**
     * Change a dead event.
     *
     * @param replay whether it is also to be delivered, at once
     */
    record Edit(String eventId, EventEdit edit, boolean replay, String reason) implements Request {
        public Edit {
            requireReason("an edit", reason);
        }
    }

    /**
     * Give these up.
     *
     * @param dryRun only count
     * @param after goes on behind what the last answer said; null begins with the first
     */
    record Discard(
            Selection selection,
            boolean dryRun,
            String reason,
            @Nullable String after) implements Request {
        public Discard {
            requireReason("discarding", reason);
        }

        /** From the first on. */
        public Discard(Selection selection, boolean dryRun, String reason) {
            this(selection, dryRun, reason, null);
        }
    }

    record Drain(String nodeId, String reason) implements Request {
        public Drain {
            requireReason("draining", reason);
        }
    }

    /** Delete what was done longer ago than this. */
    record Purge(Duration olderThan, boolean dryRun) implements Request {
        public Purge {
            if (olderThan.isNegative()) {
                throw new IllegalArgumentException("older-than must not be negative, was " + olderThan);
            }
        }
    }

    private static void requireReason(String what, String reason) {
        if (reason.isBlank()) {
            throw new IllegalArgumentException(what + " needs a reason, for those who read the audit");
        }
    }
}
