package outbox.mongodb.internal.diagnosis;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Sorts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.bson.BsonTimestamp;
import org.bson.Document;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** Checks the server of the collections. */
record ServerChecks(Function<String, MongoDatabase> databases, DiagnosisLimits limits) {

    private static final int NAMED_MAX = 5;

    static final Finding NO_REPLICA_SET = Finding.error(
            FindingCode.NO_REPLICA_SET,
            "The server belongs to no replica set, so it has no transactions",
            "its answer to hello names no replica set",
            "Start mongod with --replSet and call rs.initiate() once: one member is enough.");

    List<Finding> clock(InstantSource clock) {
        Instant before = clock.instant();
        Document hello = databases.apply("admin").runCommand(new Document("hello", 1));
        Duration answer = Duration.between(before, clock.instant());
        Duration skew = Duration.between(before.plus(answer.dividedBy(2)), EventDocuments.required(hello, "localTime"));
        if (skew.abs().minus(answer.abs().dividedBy(2)).compareTo(limits.clockSkew()) <= 0) {
            return List.of();
        }
        return List.of(Finding.warning(
                FindingCode.CLOCK_SKEW,
                "The clocks of this machine and of the server differ",
                "the server's is " + (skew.abs().toMillis() / 1000.0) + " s "
                        + (skew.isNegative() ? "behind" : "ahead of") + " this machine's",
                "Let both keep time by NTP. The outbox goes by the server's clock; what applications write as the time"
                        + " of an event, and the time in its id, come from theirs."));
    }

    /** Checks the transactions of all users, which requires the right to see them. */
    List<Finding> transactions() {
        Document all = new Document("allUsers", true).append("idleSessions", true);
        Document open = new Document(
                "transaction.timeOpenMicros",
                new Document("$gte", limits.transactionAge().toNanos() / 1_000));
        List<Document> found = databases
                .apply("admin")
                .aggregate(List.of(
                        new Document("$currentOp", all),
                        new Document("$match", open),
                        new Document("$sort", new Document("transaction.timeOpenMicros", -1)),
                        new Document("$limit", 100)))
                .into(new ArrayList<>());
        if (found.isEmpty()) {
            return List.of();
        }
        List<String> named =
                found.stream().limit(NAMED_MAX).map(ServerChecks::describe).toList();
        String more = found.size() > NAMED_MAX ? "; and " + (found.size() - NAMED_MAX) + " more" : "";
        return List.of(Finding.warning(
                FindingCode.LONG_TRANSACTION,
                "A transaction has been open for a long time",
                String.join("; ", named) + more,
                "Find out what it does, and end it with killSessions if it is not needed. Its events are delivered"
                        + " only when it commits, its writes block others, and the server ends it after"
                        + " transactionLifetimeLimitSeconds."));
    }

    private static String describe(Document operation) {
        Document transaction = operation.get("transaction", new Document());
        long micros = transaction.get("timeOpenMicros", Number.class).longValue();
        Object client = operation.get("client");
        Object application = operation.get("appName");
        return "open for " + TimeUnit.MICROSECONDS.toSeconds(micros) + " s, of "
                + (application == null ? "a program without a name" : application)
                + (client == null ? "" : " at " + client);
    }

    /** A change stream, and a member that was down, can continue only from entries that the oplog still has. */
    List<Finding> oplog() {
        MongoCollection<Document> oplog = databases.apply("local").getCollection("oplog.rs");
        Document sizes = oplog.aggregate(List.of(
                        new Document("$collStats", new Document("storageStats", new Document())),
                        new Document(
                                "$project",
                                new Document("size", "$storageStats.size").append("max", "$storageStats.maxSize"))))
                .first();
        if (sizes == null || !isFilled(sizes)) {
            return List.of(); // It is short only because it is new.
        }
        Duration window = Duration.ofSeconds(seconds(oplog, -1) - seconds(oplog, 1));
        return window.compareTo(limits.oplogWindow()) >= 0
                ? List.of()
                : List.of(Finding.warning(
                        FindingCode.OPLOG_SHORT,
                        "The oplog does not reach far back",
                        "it holds the last " + window.toMinutes() + " minutes",
                        "Enlarge it (replSetResizeOplog). A member that is down for longer has to be synchronised from the"
                                + " start, and relays that were down for longer miss wake-ups."));
    }

    private boolean isFilled(Document sizes) {
        Number size = sizes.get("size", Number.class);
        Number max = sizes.get("max", Number.class);
        return size != null && max != null && size.doubleValue() >= max.doubleValue() * limits.oplogFilled();
    }

    private static long seconds(MongoCollection<Document> oplog, int direction) {
        Document entry = oplog.find()
                .sort(direction < 0 ? Sorts.descending("$natural") : Sorts.ascending("$natural"))
                .limit(1)
                .first();
        return entry == null ? 0 : entry.get("ts", BsonTimestamp.class).getTime();
    }
}
