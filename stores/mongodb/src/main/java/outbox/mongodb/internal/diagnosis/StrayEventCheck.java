package outbox.mongodb.internal.diagnosis;

import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.CorruptEvents;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * Finds pending events that no read of a partition returns, through the indexes of partitions if they exist. The
 * validator refuses such events unless it is bypassed.
 */
record StrayEventCheck(OutboxCollections collections) {

    private static final int NAMED_MAX = 5;

    List<Finding> findings() {
        if (!EventIndex.missing(collections.events(), EventIndex.FOR_PARTITIONS).isEmpty()) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        found.addAll(named(Field.BUCKET, CorruptEvents.IN_NO_BUCKET, EventIndex.LANE));
        found.addAll(named(Field.SEQ, CorruptEvents.TOO_EARLY, EventIndex.SLOT));
        found.addAll(named(Field.SEQ, CorruptEvents.WITHOUT_TICK, EventIndex.LANE));
        if (found.isEmpty()) {
            return List.of();
        }
        String rest = found.size() > NAMED_MAX ? ", and more" : "";
        return List.of(Finding.error(
                FindingCode.ROWS_UNREADABLE,
                "Pending events have values that are not allowed, and no relay finds them",
                String.join(", ", found.subList(0, Math.min(NAMED_MAX, found.size()))) + rest,
                "A relay that owns partitions sets those of a wrong bucket, or of a seq that is too early, dead within a"
                        + " minute. For the others: db." + collections.names().event() + ".updateMany({status:"
                        + " \"PENDING\", seq: {$not: {$type: \"timestamp\"}}}, {$set: {status: \"FAILED\"}}). Find the"
                        + " program that writes them and bypasses the validator: seq is Timestamp(0, 0), which the server"
                        + " replaces, and bucket is keyHash % 120."));
    }

    private List<String> named(String field, Bson chosen, String index) {
        List<String> named = new ArrayList<>();
        collections
                .events()
                .find(chosen)
                .hintString(index)
                .limit(NAMED_MAX + 1)
                .projection(Projections.include(field))
                .forEach(event -> named.add("event "
                        + String.valueOf(event.get(Field.ID)).replaceAll("\\p{Cntrl}", "?") + " has " + field + " "
                        + valueOf(event, field)));
        return named;
    }

    private static String valueOf(Document event, String field) {
        String value = String.valueOf(event.get(field)).replaceAll("\\p{Cntrl}", "?");
        return value.length() <= 40 ? value : value.substring(0, 40) + " …";
    }
}
