package outbox.mongodb.internal.event;

import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.internal.ErrorText;
import outbox.model.Settlement;

/** Builds the updates that settle an event. */
public final class SettleUpdates {

    /** How many failed attempts an event keeps, the latest ones. */
    static final int FAILURES_MAX = 100;

    /**
     * Finds events by their ids. Without this hint the server would compare that with the indexes of pending events
     * each time.
     */
    public static final UpdateOptions BY_ID = new UpdateOptions().hintString("_id_");

    /** The fields that end with every settlement. */
    private static final List<String> UNSET = Stream.concat(
                    Claims.FIELDS.stream(), Stream.of(Field.DELAYED, Field.DEATHS))
            .toList();

    /** The number of replays after this one. */
    public static final Document ONE_REPLAY_MORE =
            Expression.of("$add", Expression.of("$ifNull", "$" + Field.REPLAYS, 0), 1);

    private SettleUpdates() {}

    /** Done, with a mark to set as well; empty for none. */
    public static UpdateManyModel<Document> done(Bson filter, Document mark) {
        List<Bson> changes = new ArrayList<>(List.of(
                Updates.set(Field.STATUS, Field.COMPLETED),
                Updates.currentDate(Field.PROCESSED_AT),
                Updates.currentDate(Field.LAST_ATTEMPT_AT),
                Updates.unset(Field.ACKNOWLEDGED)));
        mark.forEach((field, value) -> changes.add(Updates.set(field, value)));
        UNSET.forEach(field -> changes.add(Updates.unset(field)));
        return new UpdateManyModel<>(filter, Updates.combine(changes), BY_ID);
    }

    /**
     * A failure.
     *
     * @param attempt what to record about the attempt next to its error and time, if it counts
     * @param mark a field that is to be set, too; empty for none
     */
    static UpdateOneModel<Document> failed(Bson filter, Settlement failure, Document attempt, Document mark) {
        Document set = switch (failure) {
            case Settlement.Retry retry -> counted(retry.error(), attempt).append(Field.DUE_AT, due(retry.delay()));
            case Settlement.Postponed postponed ->
                noted(postponed.error()).append(Field.DUE_AT, due(postponed.delay()));
            case Settlement.Dead dead ->
                (dead.counts() ? counted(dead.error(), attempt) : noted(dead.error()))
                        .append(Field.STATUS, Field.FAILED);
            case Settlement.Done done -> throw new IllegalArgumentException("a done event did not fail: " + done);
        };
        set.putAll(mark);
        return new UpdateOneModel<>(filter, List.of(new Document("$set", set), new Document("$unset", UNSET)), BY_ID);
    }

    private static Document due(Duration delay) {
        return Expression.after(delay.isNegative() ? Duration.ZERO : delay);
    }

    private static Document noted(String error) {
        return new Document(Field.ERROR_MESSAGE, Expression.literal(ErrorText.fit(error)))
                .append(Field.LAST_ATTEMPT_AT, Expression.NOW);
    }

    private static Document counted(String error, Document attempt) {
        Document failure = new Document(attempt)
                .append("error", Expression.literal(ErrorText.fit(error)))
                .append("at", Expression.NOW);
        Document known = Expression.of(
                "$cond", Expression.of("$isArray", "$" + Field.FAILURES), "$" + Field.FAILURES, List.of());
        Document failures = Expression.of("$concatArrays", known, List.of(failure));
        return noted(error)
                .append(Field.RETRY_COUNT, Expression.of("$add", "$" + Field.RETRY_COUNT, 1))
                .append(Field.FAILURES, Expression.of("$slice", failures, -FAILURES_MAX));
    }
}
