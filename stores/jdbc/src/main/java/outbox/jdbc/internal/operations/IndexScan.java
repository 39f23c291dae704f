package outbox.jdbc.internal.operations;

import org.jspecify.annotations.Nullable;
import outbox.internal.EventCursor;
import outbox.internal.IdRange;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.schema.SearchIndex;
import outbox.jdbc.internal.sql.SqlText;
import outbox.model.EventStatus;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventSummary;

/**
 * A scan of the event table: through which index, over which rows, in which order. Its conditions and its order are those
 * of the index and no others, so that a database has no reason to leave it, whatever it believes of the table.
 */
public sealed interface IndexScan {

    /** The event table under the alias e, with the index of this scan where a database takes such a hint. */
    String table();

    /** The condition on e of the rows of this scan that come behind the cursor; null is before all of them. */
    void addRange(SqlText sql, @Nullable EventCursor after);

    /** The order of this scan, which no two rows share. */
    String order(String alias);

    /** The order and the limit with which the database finds the first rows; of the last ones there may be more. */
    default String first(int rows) {
        return " ORDER BY " + order("e") + " LIMIT " + rows;
    }

    EventCursor cursor(EventSummary event);

    private static String descending(boolean latestFirst) {
        return latestFirst ? " DESC" : "";
    }

    /**
     * By the primary key, or by an index in which the rows of one key or type stand in the order of their ids.
     *
     * @param index null for the primary key
     */
    record ById(
            Dialect dialect,
            TableNames tables,
            IdRange range,
            @Nullable SearchIndex index,
            boolean latestFirst) implements IndexScan {

        @Override
        public String table() {
            return index == null ? tables.event() + " e" : dialect.indexed(tables, "e", index.ending());
        }

        @Override
        public void addRange(SqlText sql, @Nullable EventCursor after) {
            @Nullable
            String behind =
                    after == null ? null : after.as(EventCursor.ById.class).eventId();
            if (index == null) {
                sql.add("1 = 1");
                sql.addIfPresent(" AND e.event_id >= ?", range.from())
                        .addIfPresent(" AND e.event_id < ?", range.before())
                        .addIfPresent(" AND e.event_id " + beyond() + " ?", behind);
            } else {
                index.addRange(sql, dialect, range, behind == null ? null : new SearchIndex.Bound(beyond(), behind));
            }
        }

        private String beyond() {
            return latestFirst ? "<" : ">";
        }

        @Override
        public String order(String alias) {
            String direction = descending(latestFirst);
            return (index == null ? "" : alias + "." + index.column() + direction + ", ") + alias + ".event_id"
                    + direction;
        }

        @Override
        public EventCursor cursor(EventSummary event) {
            return new EventCursor.ById(event.eventId());
        }
    }

    /**
     * By the index of settled events, which has those that wait for a retry too. Only done ones have a time of being
     * done; the others stand in the order of their creation.
     *
     * @param filter bounds the time of creation, unless it means done events
     */
    record Settled(Dialect dialect, TableNames tables, int status, EventFilter filter, boolean latestFirst)
            implements IndexScan {

        private boolean isDone() {
            return status == EventStatus.DONE.code();
        }

        @Override
        public String table() {
            return dialect.indexed(tables, "e", "settled");
        }

        @Override
        public void addRange(SqlText sql, @Nullable EventCursor after) {
            sql.add("e.status = " + status + " AND e.done_at IS " + (isDone() ? "NOT NULL" : "NULL"));
            sql.addIfPresent(" AND e.created_at >= ?", filter.createdFrom())
                    .addIfPresent(" AND e.created_at < ?", filter.createdBefore());
            if (after != null) {
                addBehind(sql, after);
            }
        }

        // The bound that the index knows, and what of it is not behind the cursor.
        private void addBehind(SqlText sql, EventCursor after) {
            EventCursor.Settled at = after.as(EventCursor.Settled.class);
            if ((at.doneAt() != null) != isDone()) {
                throw after.ofAnotherSearch();
            }
            String upTo = latestFirst ? " <= ?" : " >= ?";
            String before = latestFirst ? " > ?" : " < ?";
            String beforeOrAt = latestFirst ? " >= ?" : " <= ?";
            if (at.doneAt() == null) {
                sql.add(" AND e.created_at" + upTo, at.createdAt())
                        .add(" AND NOT (e.created_at = ?", at.createdAt())
                        .add(" AND e.event_id" + beforeOrAt + ")", at.eventId());
            } else {
                sql.add(" AND e.done_at" + upTo, at.doneAt())
                        .add(" AND NOT (e.done_at = ?", at.doneAt())
                        .add(" AND (e.created_at" + before, at.createdAt())
                        .add(" OR e.created_at = ?", at.createdAt())
                        .add(" AND e.event_id" + beforeOrAt + "))", at.eventId());
            }
        }

        @Override
        public String order(String alias) {
            return indexed(alias) + ", " + alias + ".event_id" + descending(latestFirst);
        }

        // That done_at is said although it is null, is for PostgreSQL, which would not see that the index is in order.
        private String indexed(String alias) {
            String direction = descending(latestFirst);
            return alias + ".done_at" + direction + ", " + alias + ".created_at" + direction;
        }

        @Override
        public String first(int rows) {
            return dialect.searches().firstSettled(indexed("e"), order("e"), rows);
        }

        @Override
        public EventCursor cursor(EventSummary event) {
            return new EventCursor.Settled(event.state().doneAt(), event.state().createdAt(), event.eventId());
        }
    }

    /** Pending events as they come due. */
    record Due(Dialect dialect, TableNames tables) implements IndexScan {

        @Override
        public String table() {
            return dialect.indexed(tables, "e", "due");
        }

        @Override
        public void addRange(SqlText sql, @Nullable EventCursor after) {
            sql.add(dialect.pending("e"));
            if (after != null) {
                EventCursor.Due at = after.as(EventCursor.Due.class);
                sql.add(" AND e.available_at >= ?", at.availableAt())
                        .add(" AND NOT (e.available_at = ?", at.availableAt())
                        .add(" AND e.seq <= ?)", at.seq());
            }
        }

        @Override
        public String order(String alias) {
            return alias + ".available_at, " + alias + ".seq";
        }

        @Override
        public EventCursor cursor(EventSummary event) {
            return new EventCursor.Due(event.state().availableAt(), event.seq());
        }
    }

    /** The pending events of a lane in the order of their insertion. */
    record Lane(Dialect dialect, TableNames tables, int keyHash) implements IndexScan {

        @Override
        public String table() {
            return dialect.indexed(tables, "e", "lane");
        }

        @Override
        public void addRange(SqlText sql, @Nullable EventCursor after) {
            sql.add(dialect.pendingInLane("e")).add(" AND e.key_hash = ?", keyHash);
            if (after != null) {
                sql.add(" AND e.seq > ?", after.as(EventCursor.Inserted.class).seq());
            }
        }

        @Override
        public String order(String alias) {
            return alias + ".seq";
        }

        @Override
        public EventCursor cursor(EventSummary event) {
            return new EventCursor.Inserted(event.seq());
        }
    }
}
