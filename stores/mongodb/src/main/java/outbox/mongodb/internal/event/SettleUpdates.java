package outbox.mongodb.internal.event;

import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.model.Settlement;

/** What settling an event writes into its document. */
public final class SettleUpdates {

    /** So many failed attempts are kept with an event, the latest ones. */
    static final int FAILURES_MAX = 100;

    /**
     * Events are found by their ids. The server is told so, because it would weigh that against the indexes of pending
     * events, each time anew.
     */
    public static final UpdateOptions BY_ID = new UpdateOptions().hintString("_id_");

    /** How often a document has been replayed once this write is done. */
    public static final Document ONE_REPLAY_MORE =
            Expression.of("$add", Expression.of("$ifNull", "$" + Field.REPLAYS, 0), 1);

    private SettleUpdates() {}

    public static UpdateManyModel<Document> done(Bson filter) {
        Document gone =
                new Document(Field.DELAYED, "").append(Field.ACKNOWLEDGED, "").append(Field.DEATHS, "");
        Claims.FIELDS.forEach(field -> gone.append(field, ""));
        return new UpdateManyModel<>(
                filter,
                new Document("$set", new Document(Field.STATUS, Field.COMPLETED))
                        .append(
                                "$currentDate",
                                new Document(Field.PROCESSED_AT, true).append(Field.LAST_ATTEMPT_AT, true))
                        .append("$unset", gone),
                BY_ID);
    }

    /**
     * A failure.
     *
     * @param attempt what is to be kept about it besides its error and time; null for nothing
     */
    static UpdateOneModel<Document> retry(Bson filter, Settlement.Retry retry, @Nullable Document attempt) {
        Document set =
                failed(retry.error(), 1, attempt).append(Field.DUE_AT, Expression.after(atLeastZero(retry.delay())));
        return new UpdateOneModel<>(filter, pipeline(set), BY_ID);
    }

    /** Later, with no attempt counted or kept. */
    static UpdateOneModel<Document> postponed(Bson filter, Settlement.Postponed postponed) {
        Document set = failed(postponed.error(), 0, null)
                .append(Field.DUE_AT, Expression.after(atLeastZero(postponed.delay())));
        return new UpdateOneModel<>(filter, pipeline(set), BY_ID);
    }

    /** See {@link #retry}. */
    static UpdateOneModel<Document> dead(Bson filter, Settlement.Dead dead, @Nullable Document attempt) {
        return new UpdateOneModel<>(
                filter,
                pipeline(failed(dead.error(), dead.counts() ? 1 : 0, dead.counts() ? attempt : null)
                        .append(Field.STATUS, Field.FAILED)),
                BY_ID);
    }

    private static Duration atLeastZero(Duration delay) {
        return delay.isNegative() ? Duration.ZERO : delay;
    }

    private static Document failed(String error, int counted, @Nullable Document attempt) {
        Document message = Expression.literal(ErrorText.fit(error));
        Document set = new Document(Field.RETRY_COUNT, Expression.of("$add", "$" + Field.RETRY_COUNT, counted))
                .append(Field.ERROR_MESSAGE, message)
                .append(Field.LAST_ATTEMPT_AT, Expression.NOW);
        if (attempt != null) {
            Document failure = new Document(attempt).append("error", message).append("at", Expression.NOW);
            Document known = Expression.of(
                    "$cond", Expression.of("$isArray", "$" + Field.FAILURES), "$" + Field.FAILURES, List.of());
            set.append(
                    Field.FAILURES,
                    Expression.of("$slice", Expression.of("$concatArrays", known, List.of(failure)), -FAILURES_MAX));
        }
        return set;
    }

    private static List<Bson> pipeline(Document set) {
        List<String> gone = new ArrayList<>(Claims.FIELDS);
        gone.add(Field.DELAYED);
        gone.add(Field.DEATHS);
        return List.of(new Document("$set", set), new Document("$unset", gone));
    }
}
