package outbox.mongodb.internal.operations;

import java.util.ArrayList;
import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.internal.IdRange;
import outbox.internal.KeyHash;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.schema.SearchIndex;
import outbox.mongodb.internal.schema.SearchIndexInstaller;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/**
 * How the events that a filter means are found.
 *
 * @param walks one after the other
 * @param conditions on the events that are met
 */
record SearchPlan(List<? extends IndexScan> walks, List<Bson> conditions) {

    static SearchPlan of(IndexScan walk, List<Bson> conditions) {
        return new SearchPlan(List.of(walk), conditions);
    }

    /** Chooses the index that leaves least to be looked through. */
    record Choice(MongoSource source, boolean latestFirst, IdRange.Margin margin) {

        /** For pages of events. */
        static Choice ofALook(MongoSource source) {
            return new Choice(source, true, IdRange.Margin.OF_A_CHECK);
        }

        /** For doing something to events, oldest first; or for counting them beforehand. */
        static Choice ofAnAct(MongoSource source) {
            return new Choice(source, false, IdRange.Margin.OF_AN_ACT);
        }

        /** Pending events have the longest waiting first, whatever comes first of others. */
        SearchPlan of(EventFilter filter) {
            return switch (filter.state()) {
                case null -> byId(filter, searchIndex(filter), List.of());
                case PENDING -> pending(filter, List.of());
                // They are at the front, since they wait where they were inserted.
                case RETRY -> pending(filter, List.of(EventConditions.RETRY));
                case DEAD -> dead(filter);
                case DONE -> done(filter);
            };
        }

        /** Settled events, dead and done ones alike, in an order that no event leaves when it is changed. */
        SearchPlan ofSettled(EventFilter filter) {
            return switch (filter.state()) {
                case DEAD -> dead(filter);
                case DONE -> ofDoneById(filter);
                case null, default -> byId(filter, searchIndex(filter), List.of(EventConditions.SETTLED));
            };
        }

        /** Done events by their ids. */
        SearchPlan ofDoneById(EventFilter filter) {
            return byId(filter, searchIndex(filter), List.of(EventConditions.DONE));
        }

        private SearchPlan pending(EventFilter filter, List<Bson> state) {
            IndexScan walk =
                    filter.key() == null ? IndexScan.Pending.ALL : IndexScan.Pending.ofLane(KeyHash.of(filter.key()));
            return SearchPlan.of(walk, all(filter, true, state));
        }

        // Dead events are few next to all of a type, and many next to all of a key.
        private SearchPlan dead(EventFilter filter) {
            SearchIndex index = filter.key() == null ? SearchIndex.ALL_IDS : searchIndex(filter.withEventType(null));
            return index.equals(SearchIndex.ALL_IDS)
                    ? SearchPlan.of(
                            new IndexScan.Dead(filter.createdFrom(), filter.createdBefore(), latestFirst),
                            all(filter, false, List.of()))
                    : byId(filter, index, List.of(EventConditions.DEAD));
        }

        private SearchPlan done(EventFilter filter) {
            return filter.spansAnyTime() && searchIndex(filter).equals(SearchIndex.ALL_IDS)
                    ? SearchPlan.of(new IndexScan.Done(), all(filter, false, List.of()))
                    : ofDoneById(filter);
        }

        private SearchPlan byId(EventFilter filter, SearchIndex index, List<Bson> state) {
            List<IndexScan.ById> walks = IdRange.of(filter, source::now, margin, latestFirst).stream()
                    .map(range -> new IndexScan.ById(index, range, latestFirst))
                    .toList();
            return new SearchPlan(walks, all(filter, true, state));
        }

        private static List<Bson> all(EventFilter filter, boolean withTime, List<Bson> state) {
            List<Bson> conditions = new ArrayList<>(EventConditions.of(filter));
            conditions.addAll(state);
            if (withTime) {
                conditions.addAll(EventConditions.created(filter.createdFrom(), filter.createdBefore()));
            }
            return conditions;
        }

        private SearchIndex searchIndex(EventFilter filter) {
            @Nullable String key = filter.key();
            @Nullable String type = filter.eventType();
            if (key == null && type == null) {
                return SearchIndex.ALL_IDS;
            }
            SearchIndexes present = new SearchIndexInstaller(source).present();
            if (key != null && present.byKey()) {
                return SearchIndex.ofKey(key);
            }
            return type != null && present.byType() ? SearchIndex.ofType(type) : SearchIndex.ALL_IDS;
        }
    }
}
