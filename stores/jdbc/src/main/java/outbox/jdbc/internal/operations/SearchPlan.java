package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.internal.IdRange;
import outbox.internal.KeyHash;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.operations.IndexScan.Settled.Status;
import outbox.jdbc.internal.schema.SearchIndex;
import outbox.jdbc.internal.schema.SearchIndexInstaller;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/**
 * How the events that a filter means are found.
 *
 * @param walks one after the other
 * @param conditions on the rows that are met
 */
public record SearchPlan(List<? extends IndexScan> walks, EventConditions conditions) {

    /** Chooses the index that leaves least to be looked through. */
    public record Choice(
            Connection conn, Dialect dialect, TableNames tables, boolean latestFirst, IdRange.Margin margin) {

        /** For pages of events. */
        public static Choice ofALook(Connection conn, TableNames tables) {
            return new Choice(conn, Dialect.of(conn), tables, true, IdRange.Margin.OF_A_CHECK);
        }

        /** For doing something to events, oldest first; or for counting them beforehand. */
        static Choice ofAnAct(Connection conn, TableNames tables) {
            return new Choice(conn, Dialect.of(conn), tables, false, IdRange.Margin.OF_AN_ACT);
        }

        /** Pending events have the longest waiting first, whatever comes first of others. */
        public SearchPlan of(EventFilter filter) {
            return switch (filter.state()) {
                case null -> byId(filter, searchIndex(filter), EventConditions.of(filter));
                case PENDING -> pending(filter);
                case RETRY ->
                    filter.key() == null
                            ? settled(filter, 2, false)
                            : pending(filter).where("= 2");
                case DEAD -> {
                    // Dead events are few next to all of a type, and many next to all of a key.
                    SearchIndex index = filter.key() == null ? null : searchIndex(filter.withEventType(null));
                    yield index == null
                            ? settled(filter, 3, latestFirst)
                            : byId(filter, index, EventConditions.of(filter)).where("= 3");
                }
                case DONE -> done(filter);
            };
        }

        /** Settled events, dead and done ones alike. */
        SearchPlan ofSettled(EventFilter filter) {
            return byId(filter, searchIndex(filter), EventConditions.of(filter)).where("IN (1, 3)");
        }

        /** Done events by their ids. */
        SearchPlan ofDoneById(EventFilter filter) {
            return byId(filter, searchIndex(filter), EventConditions.of(filter)).where("= 1");
        }

        private SearchPlan pending(EventFilter filter) {
            IndexScan walk = filter.key() == null
                    ? new IndexScan.Due(dialect, tables)
                    : new IndexScan.Lane(dialect, tables, KeyHash.of(filter.key()));
            return new SearchPlan(List.of(walk), EventConditions.of(filter).created(filter));
        }

        private SearchPlan done(EventFilter filter) {
            return filter.spansAnyTime() && searchIndex(filter) == null
                    ? new SearchPlan(
                            List.of(new IndexScan.Settled(dialect, tables, Status.DONE, latestFirst)),
                            EventConditions.of(filter))
                    : ofDoneById(filter);
        }

        private SearchPlan settled(EventFilter filter, int status, boolean latest) {
            Status created = new Status(status, filter.createdFrom(), filter.createdBefore());
            return new SearchPlan(
                    List.of(new IndexScan.Settled(dialect, tables, created, latest)), EventConditions.of(filter));
        }

        private SearchPlan byId(EventFilter filter, @Nullable SearchIndex index, EventConditions conditions) {
            List<IndexScan.ById> walks = IdRange.of(filter, this::now, margin, latestFirst).stream()
                    .map(range -> new IndexScan.ById(dialect, tables, range, index, latestFirst))
                    .toList();
            return new SearchPlan(walks, conditions.created(filter));
        }

        private Instant now() {
            return Sql.list(conn, "read the time", "SELECT " + dialect.now(), dialect::instant)
                    .getFirst();
        }

        private @Nullable SearchIndex searchIndex(EventFilter filter) {
            if (filter.key() == null && filter.eventType() == null) {
                return null;
            }
            SearchIndexes present = SearchIndexInstaller.present(conn, dialect, tables);
            if (filter.key() != null && present.byKey()) {
                return SearchIndex.ofKey(KeyHash.of(filter.key()));
            }
            return filter.eventType() != null && present.byType() ? SearchIndex.ofType(filter.eventType()) : null;
        }
    }

    private SearchPlan where(String status) {
        conditions.status(status);
        return this;
    }
}
