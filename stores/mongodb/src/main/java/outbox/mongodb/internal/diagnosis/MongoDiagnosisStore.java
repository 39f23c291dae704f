package outbox.mongodb.internal.diagnosis;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoDatabase;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.Document;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.MongoFailure;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.spi.TimeSource;
import outbox.spi.operations.DiagnosisStore;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * Finds faults of the collections, of their server, and of other programs' use of it. Of the events it reads only the
 * oldest done one and those that no relay finds. It changes nothing, and every command is limited to five seconds.
 */
public final class MongoDiagnosisStore implements DiagnosisStore {

    private static final long ANSWER_SECONDS_MAX = 5;

    private final MongoSource source;
    private final DiagnosisLimits limits;
    private final InstantSource clock;

    public MongoDiagnosisStore(MongoSource source) {
        this(source, DiagnosisLimits.DEFAULTS, TimeSource.SYSTEM);
    }

    public MongoDiagnosisStore(MongoSource source, DiagnosisLimits limits, InstantSource clock) {
        this.source = source;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public List<Finding> findings() {
        try {
            ServerChecks server = new ServerChecks(this::database, limits);
            Document hello = database(source.databaseName()).runCommand(new Document("hello", 1));
            if (MongoFailure.isStandalone(hello)) {
                return List.of(ServerChecks.NO_REPLICA_SET);
            }
            Diagnosis diagnosis = new Diagnosis();
            diagnosis.check("the clock", () -> server.clock(clock));
            diagnosis.check("other transactions", server::transactions);
            diagnosis.check("the oplog", server::oplog);
            diagnosis.check("the collections", this::collections);
            diagnosis.check("events that no relay finds", this::strays);
            return diagnosis.findings();
        } catch (MongoException e) {
            return List.of(unreachable(e));
        }
    }

    private MongoDatabase database(String name) {
        return source.client()
                .getDatabase(name)
                .withReadPreference(ReadPreference.primary())
                .withTimeout(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    }

    private List<Finding> collections() {
        try {
            OutboxCollections collections = new OutboxCollections(database(source.databaseName()), source.names());
            return new CollectionChecks(collections, source.databaseName(), limits).findings();
        } catch (MongoException e) {
            if (!MongoFailure.isForbidden(e)) {
                throw e;
            }
            return List.of(Finding.error(
                    FindingCode.RIGHTS_MISSING,
                    "The user lacks rights on the collections",
                    line(e),
                    "Grant it the role readWrite on database " + source.databaseName()
                            + ", or dbOwner if it is to set up the collections too."));
        }
    }

    private List<Finding> strays() {
        try {
            return new StrayEventCheck(new OutboxCollections(database(source.databaseName()), source.names()))
                    .findings();
        } catch (MongoException e) {
            if (!MongoFailure.isForbidden(e)) {
                throw e;
            }
            return List.of(); // The check of the collections has already reported that.
        }
    }

    private static Finding unreachable(MongoException e) {
        return MongoFailure.isRefusedLogin(e)
                ? Finding.error(
                        FindingCode.CREDENTIALS_REFUSED,
                        "The database refuses the user or the password",
                        line(e),
                        "Check both, and authSource in the address: the database in which the user was made.")
                : Finding.error(
                        FindingCode.DATABASE_UNREACHABLE,
                        "No primary answers",
                        line(e),
                        "Check that the replica set runs and has a primary, that hosts and ports are right, and that"
                                + " replicaSet in the address is its name.");
    }

    private static String line(MongoException e) {
        String line = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
        return line.length() <= Diagnosis.TEXT_MAX ? line : line.substring(0, Diagnosis.TEXT_MAX) + " …";
    }

    /** Runs checks. A failed one is reported, and the others run all the same. */
    private static final class Diagnosis {

        private static final int TEXT_MAX = 300;

        private final List<Finding> findings = new ArrayList<>();
        private final List<String> skipped = new ArrayList<>();

        void check(String subject, Supplier<List<Finding>> check) {
            try {
                findings.addAll(check.get());
            } catch (MongoException e) {
                if (isGone(e)) {
                    throw e; // Nothing that follows would have an answer.
                }
                skipped.add(subject + " (" + line(e) + ")");
            }
        }

        private static boolean isGone(MongoException e) {
            return e instanceof MongoSocketException
                    || (e instanceof MongoTimeoutException && !(e instanceof MongoOperationTimeoutException));
        }

        List<Finding> findings() {
            if (!skipped.isEmpty()) {
                findings.add(Finding.advice(
                        FindingCode.VIEW_LIMITED,
                        "Some checks failed",
                        String.join("; ", skipped),
                        "To run them, give the user the role clusterMonitor on admin."));
            }
            return findings;
        }
    }
}
