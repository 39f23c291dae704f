package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbServer;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.ServerAddress;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.mongodb.internal.diagnosis.DiagnosisLimits;
import outbox.mongodb.internal.diagnosis.MongoDiagnosisStore;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.operations.AuditDocuments;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.TimeSource;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;
import outbox.spi.relay.ClaimStrategy;
import outbox.testkit.Await;

/** Every fault is made, and found. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MongoDiagnosisIT {

    private static final DiagnosisLimits LIMITS = DiagnosisLimits.DEFAULTS;

    private TestMongo mongo;

    @BeforeEach
    void open() {
        mongo = TestMongo.open().installed();
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @Test
    void nothingIsWrongWithFreshCollections() {
        assertThat(findings()).isEmpty();

        new MongoSchema(mongo.source()).createSearchIndexes();
        new MongoSchema(mongo.source()).expireDone(Duration.ofDays(7));
        new Publisher(mongo.client(), mongo.source()).publish("a");
        assertThat(findings()).isEmpty();
    }

    @Test
    void tellsThatNoServerAnswers() {
        try (MongoClient nowhere =
                MongoClients.create("mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200&connectTimeoutMS=200")) {
            assertThat(onlyFinding(new MongoSource(nowhere, "outbox")).is(FindingCode.DATABASE_UNREACHABLE))
                    .isTrue();
        }
    }

    @Test
    void tellsThatAUserIsRefusedAndNothingOfItsPassword() {
        ServerAddress server = mongo.client()
                .getClusterDescription()
                .getServerDescriptions()
                .getFirst()
                .getAddress();
        MongoClientSettings wrong = MongoClientSettings.builder()
                .applyToClusterSettings(
                        cluster -> cluster.hosts(List.of(server)).serverSelectionTimeout(2, TimeUnit.SECONDS))
                .credential(MongoCredential.createCredential("anna", "admin", "not-her-password".toCharArray()))
                .build();
        try (MongoClient client = MongoClients.create(wrong)) {
            Finding refused = onlyFinding(new MongoSource(client, mongo.source().databaseName()));

            assertThat(refused.is(FindingCode.CREDENTIALS_REFUSED))
                    .as("%s", refused)
                    .isTrue();
            assertThat(refused.toString()).contains("anna").doesNotContain("not-her-password");
        }
    }

    @Test
    void tellsThatCollectionsAreMissing() {
        Finding none =
                onlyFinding(new MongoSource(mongo.client(), mongo.source().databaseName() + "_other"));
        assertThat(none.is(FindingCode.TABLES_MISSING)).isTrue();
        assertThat(none.evidence()).contains("outbox_event", "outbox_meta", "outbox_audit");

        mongo.source().inside().meta().deleteMany(new Document());
        assertThat(onlyFinding(mongo.source()).evidence()).contains("no document about outbox_event");
    }

    @Test
    void tellsThatCollectionsAreOfAnotherVersion() {
        version(MongoSchema.VERSION - 1);
        assertThat(onlyFinding(mongo.source()).is(FindingCode.SCHEMA_OLDER)).isTrue();
        version(MongoSchema.VERSION + 1);
        assertThat(onlyFinding(mongo.source()).is(FindingCode.SCHEMA_NEWER)).isTrue();
    }

    private void version(int version) {
        mongo.source().inside().meta().updateMany(new Document(), Updates.set(MetaDocument.VERSION, version));
    }

    @Test
    void tellsWhichIndexIsMissing() {
        mongo.source().inside().events().dropIndex(EventIndex.LANE);
        mongo.source().inside().events().dropIndex(EventIndex.DONE);
        mongo.source().inside().audit().dropIndex(AuditDocuments.BY_PLACE);

        assertThat(findings()).hasSize(3).allMatch(finding -> finding.is(FindingCode.INDEX_MISSING));
        assertThat(findings())
                .extracting(Finding::evidence)
                .anyMatch(evidence -> evidence.contains("outbox_event has no index lane"))
                .anyMatch(evidence -> evidence.contains("outbox_audit has no index place"));
    }

    @Test
    void missesTheIndexesOfClaimsOnlyWhereSomebodyClaims() {
        mongo.source().inside().events().dropIndex(EventIndex.DUE);
        assertThat(findings()).isEmpty();

        mongo.source()
                .inside()
                .meta()
                .updateMany(new Document(), Updates.set(MetaDocument.STRATEGY, ClaimStrategy.LEASE.label()));
        assertThat(onlyFinding(mongo.source()).evidence()).contains("has no index due");
    }

    @Test
    void tellsWhichIndexIsNotWhatItsNameSays() {
        OutboxCollections collections = mongo.source().inside();
        collections.events().dropIndex(EventIndex.DEAD);
        collections.events().createIndex(Indexes.ascending(Field.CREATED_AT), new IndexOptions().name(EventIndex.DEAD));

        Finding wrong = onlyFinding(mongo.source());
        assertThat(wrong.is(FindingCode.INDEX_WRONG)).isTrue();
        assertThat(wrong.evidence()).contains("index dead", "\"createdAt\": 1, \"_id\": 1");
    }

    @Test
    void tellsThatTheValidatorIsOff() {
        mongo.source()
                .inside()
                .database()
                .runCommand(new Document("collMod", "outbox_event").append("validator", new Document()));

        assertThat(onlyFinding(mongo.source()).is(FindingCode.VALIDATOR_WRONG)).isTrue();
    }

    @Test
    void tellsThatTheClocksDiffer() {
        InstantSource ahead = () -> TimeSource.SYSTEM.instant().plusSeconds(60);

        List<Finding> findings = new MongoDiagnosisStore(mongo.source(), LIMITS, ahead).findings();

        assertThat(findings).hasSize(1).allMatch(finding -> finding.is(FindingCode.CLOCK_SKEW));
        assertThat(findings.getFirst().evidence())
                .contains("behind this machine's")
                .containsAnyOf("59.", "60.");
    }

    @Test
    void tellsOfATransactionThatStaysOpen() {
        DiagnosisLimits brief = new DiagnosisLimits(
                Duration.ofMillis(50),
                LIMITS.clockSkew(),
                LIMITS.oplogWindow(),
                LIMITS.oplogFilled(),
                LIMITS.expiryDelay());
        try (ClientSession session = mongo.client().startSession()) {
            session.startTransaction();
            mongo.source().inside().holds().insertOne(session, new Document("a secret", "word"));

            Await.until(
                    "the transaction is told of",
                    () -> diagnose(brief).stream().anyMatch(finding -> finding.is(FindingCode.LONG_TRANSACTION)));
            Finding open = diagnose(brief).stream()
                    .filter(finding -> finding.is(FindingCode.LONG_TRANSACTION))
                    .findFirst()
                    .orElseThrow();
            assertThat(open.evidence()).contains("open for").doesNotContain("secret");
            session.abortTransaction();
        }
    }

    /** That of a young server is short, and says nothing; here any is long enough. */
    @Test
    void tellsThatTheOplogDoesNotReachFarBack() {
        DiagnosisLimits anySize = new DiagnosisLimits(
                LIMITS.transactionAge(), LIMITS.clockSkew(), Duration.ofDays(10_000), 0.0, LIMITS.expiryDelay());

        assertThat(diagnose(anySize)).hasSize(1).allMatch(finding -> finding.is(FindingCode.OPLOG_SHORT));
    }

    @Test
    void tellsThatTheServerDoesNotDeleteWhatHasExpired() {
        new MongoSchema(mongo.source()).expireDone(Duration.ofDays(1));
        Publisher publisher = new Publisher(mongo.client(), mongo.source());
        // As if the server had been told not to look; it may look any minute, and delete it.
        Await.until("the event that was kept is told of", () -> {
            String id = publisher.publish("a");
            mongo.source()
                    .inside()
                    .events()
                    .updateOne(
                            Filters.eq(id),
                            Updates.combine(
                                    Updates.set(Field.STATUS, Field.COMPLETED),
                                    Updates.set(
                                            Field.PROCESSED_AT,
                                            Date.from(Instant.now().minus(Duration.ofDays(2))))));
            return findings().stream().anyMatch(finding -> finding.is(FindingCode.RETENTION_LATE));
        });
    }

    /** A server that refuses as it refuses users without rights, which it does only when all its users have passwords. */
    @Test
    void tellsWhatItMayNotLookAtAndWhichRightsAreMissing() {
        TestMongo.requireServer();
        try (MongoDb server = MongoDbServer.start(Map.of("enableTestCommands", "1"));
                TestMongo own = TestMongo.on(server.uri()).installed()) {
            forbid(own, "aggregate");
            Finding limited = onlyFinding(own.source());
            assertThat(limited.is(FindingCode.VIEW_LIMITED)).isTrue();
            assertThat(limited.evidence()).contains("other transactions", "the oplog");
            assertThat(limited.advice()).contains("clusterMonitor");

            forbid(own, "listCollections");
            assertThat(onlyFinding(own.source()).is(FindingCode.RIGHTS_MISSING)).isTrue();
        }
    }

    private static void forbid(TestMongo mongo, String command) {
        mongo.client()
                .getDatabase("admin")
                .runCommand(new Document("configureFailPoint", "failCommand")
                        .append("mode", "alwaysOn")
                        .append("data", new Document("failCommands", List.of(command)).append("errorCode", 13)));
    }

    private List<Finding> findings() {
        return new MongoDiagnosisStore(mongo.source()).findings();
    }

    private List<Finding> diagnose(DiagnosisLimits limits) {
        return new MongoDiagnosisStore(mongo.source(), limits, TimeSource.SYSTEM).findings();
    }

    private static Finding onlyFinding(MongoSource source) {
        List<Finding> findings = new MongoDiagnosisStore(source).findings();
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }
}
