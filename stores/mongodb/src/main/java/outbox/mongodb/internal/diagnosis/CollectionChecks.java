package outbox.mongodb.internal.diagnosis;

import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.operations.AuditDocuments;
import outbox.mongodb.internal.operations.IndexScan;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.mongodb.internal.schema.EventValidator;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;
import outbox.spi.relay.ClaimStrategy;

/** Looks at the collections of an outbox. */
record CollectionChecks(OutboxCollections collections, String database, DiagnosisLimits limits) {

    private static final String HOW_TO_MIGRATE = "Run \"catbox schema migrate\", or call MongoSchema.install().";

    List<Finding> findings() {
        List<Finding> schema = schema();
        if (!schema.isEmpty()) {
            return schema;
        }
        List<Finding> findings = new ArrayList<>(indexes());
        if (!EventValidator.isOn(collections)) {
            findings.add(Finding.error(
                    FindingCode.VALIDATOR_WRONG,
                    "The collection of events lacks its validator, or has another one",
                    "collection " + names().event() + " takes documents that no relay can read",
                    HOW_TO_MIGRATE));
        }
        findings.addAll(expiry());
        return findings;
    }

    private CollectionNames names() {
        return collections.names();
    }

    private List<Finding> schema() {
        Set<String> there = collections.database().listCollectionNames().into(new HashSet<>());
        List<String> missing =
                names().all().stream().filter(name -> !there.contains(name)).toList();
        Document meta = collections.meta().find(MetaDocument.id(names())).first();
        if (meta == null || !missing.isEmpty()) {
            return List.of(Finding.error(
                    FindingCode.TABLES_MISSING,
                    "Collections are missing",
                    missing.isEmpty()
                            ? "collection " + names().meta() + " has no document about " + names().event()
                            : "database " + database + " has no " + String.join(", no ", missing),
                    "See whether these are the right database and collection name. " + HOW_TO_MIGRATE));
        }
        int version = meta.getInteger(MetaDocument.VERSION, 0);
        String evidence = "collection " + names().event() + " is of version " + version + ", and this program knows "
                + MongoSchema.VERSION;
        if (version < MongoSchema.VERSION) {
            return List.of(Finding.error(
                    FindingCode.SCHEMA_OLDER,
                    "The collections are of an older version than this program",
                    evidence,
                    HOW_TO_MIGRATE));
        }
        return version == MongoSchema.VERSION
                ? List.of()
                : List.of(Finding.error(
                        FindingCode.SCHEMA_NEWER,
                        "The collections are of a newer version than this program",
                        evidence,
                        "Use this program in the version of those who work on the collection."));
    }

    private List<Finding> indexes() {
        List<Finding> findings = new ArrayList<>();
        Set<String> there = collections
                .events()
                .listIndexes()
                .map(index -> index.getString("name"))
                .into(new HashSet<>());
        for (EventIndex index : EventIndex.missing(collections.events(), needed())) {
            findings.add(there.contains(index.name()) ? wrong(index) : missing(names().event(), index.name()));
        }
        if (!AuditDocuments.hasIndex(collections)) {
            findings.add(missing(names().audit(), AuditDocuments.BY_PLACE));
        }
        return findings;
    }

    /** Some are read by those only who claim without slots. */
    private List<EventIndex> needed() {
        Document meta = collections.meta().find(MetaDocument.id(names())).first();
        @Nullable String strategy = meta == null ? null : meta.getString(MetaDocument.STRATEGY);
        return strategy == null
                        || ClaimStrategy.of(strategy)
                                .filter(ClaimStrategy::usesPartitions)
                                .isPresent()
                ? EventIndex.FOR_SLOTS
                : EventIndex.ALL;
    }

    private static Finding missing(String collection, String index) {
        return Finding.error(
                FindingCode.INDEX_MISSING,
                "An index is missing",
                "collection " + collection + " has no index " + index + ": what it serves fails, or reads everything",
                HOW_TO_MIGRATE);
    }

    private Finding wrong(EventIndex index) {
        return Finding.error(
                FindingCode.INDEX_WRONG,
                "An index is not what its name says",
                "index " + index.name() + " of collection " + names().event() + " should be "
                        + index.keyDocument().toJson() + " where "
                        + index.holds().toBsonDocument().toJson(),
                "Drop it. " + HOW_TO_MIGRATE);
    }

    /** Where the server is to delete what is done, whether it does. */
    private List<Finding> expiry() {
        @Nullable
        Number seconds = collections.events().listIndexes().into(new ArrayList<>()).stream()
                .filter(index -> EventIndex.DONE.equals(index.getString("name")))
                .map(index -> index.get("expireAfterSeconds", Number.class))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (seconds == null) {
            return List.of();
        }
        Document oldest = collections
                .events()
                .find(new IndexScan.Done().all())
                .sort(Sorts.ascending(Field.PROCESSED_AT))
                .hintString(EventIndex.DONE)
                .limit(1)
                .projection(Projections.include(Field.PROCESSED_AT))
                .first();
        @Nullable Instant doneAt = oldest == null ? null : EventDocuments.instant(oldest, Field.PROCESSED_AT);
        if (doneAt == null) {
            return List.of();
        }
        Duration kept = Duration.ofSeconds(seconds.longValue());
        Document hello = collections.database().runCommand(new Document("hello", 1));
        Duration age = Duration.between(doneAt, EventDocuments.required(hello, "localTime"));
        return age.compareTo(kept.plus(limits.expiryDelay())) <= 0
                ? List.of()
                : List.of(Finding.warning(
                        FindingCode.RETENTION_LATE,
                        "Done events are kept longer than they are to be",
                        "they are to be deleted after " + kept + ", and the oldest was done " + age + " ago",
                        "See whether the server's ttlMonitorEnabled is true, and whether it is too busy to delete."));
    }
}
