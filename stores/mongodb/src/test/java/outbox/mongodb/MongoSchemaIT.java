package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.LayoutMismatchException;
import outbox.OutboxClient;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.EventStatus;
import outbox.model.Settlement;
import outbox.mongodb.internal.diagnosis.MongoDiagnosisStore;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.event.MongoPublishStore;
import outbox.mongodb.internal.event.MongoSettleStore;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.mongodb.internal.operations.MongoStatisticsStore;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.mongodb.internal.relay.MongoClusterAdmin;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.mongodb.internal.schema.EventValidator;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.FindingCode;
import outbox.spi.operations.OperatorAction;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MongoSchemaIT {

    private TestMongo mongo;

    @BeforeEach
    void open() {
        mongo = TestMongo.open();
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @Test
    void isMissedAtStartAndSaysHowToInstallIt() {
        assertThatThrownBy(() -> new MongoClaimStore(mongo.source()).open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("outbox_meta", "MongoSchema", "install()");
        assertThatThrownBy(this::join).isInstanceOf(SchemaException.class);
    }

    @Test
    void canBeInstalledAgainAndChangesNothing() {
        mongo.installed();
        String id = new Publisher(mongo.client(), mongo.source()).publish("k");
        new MongoClusterAdmin(mongo.source()).changePartitions(12, "test");
        join();

        mongo.installed();

        assertThat(new MongoOperatorStore(mongo.source()).find(id)).isPresent();
        assertThat(meta().getInteger(MetaDocument.PARTITIONS)).isEqualTo(12);
        assertThat(mongo.source().collections().slots().countDocuments()).isEqualTo(12);
    }

    @Test
    void isRefusedWhenAnIndexIsMissing() {
        mongo.installed();
        mongo.source().collections().events().dropIndex(EventIndex.SLOT);

        assertThatThrownBy(this::join)
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("indexes", "slot", "install()");
    }

    @Test
    void isRefusedWhenAnIndexHasOtherDocuments() {
        mongo.installed();
        replace(new IndexOptions().name(EventIndex.SLOT).partialFilterExpression(Filters.eq(Field.STATUS, "NEW")));
        assertThatThrownBy(this::join).isInstanceOf(SchemaException.class).hasMessageContaining("slot");

        replace(new IndexOptions().name(EventIndex.SLOT).unique(true));
        assertThatThrownBy(this::join).isInstanceOf(SchemaException.class).hasMessageContaining("slot");
    }

    private void replace(IndexOptions options) {
        MongoCollection<Document> events = mongo.source().collections().events();
        events.dropIndex(EventIndex.SLOT);
        events.createIndex(new Document(Field.BUCKET, 1).append(Field.SEQ, 1).append(Field.KEY_HASH, 1), options);
    }

    @Test
    void goesOnWhereAnInstallationWasInterrupted() {
        mongo.installed();
        MongoDatabase database = mongo.client().getDatabase(mongo.source().databaseName());
        Document pending = new Document(Field.ID, "old")
                .append(Field.STATUS, Field.PENDING)
                .append(Field.KEY_HASH, 1)
                .append(Field.BUCKET, 0)
                .append(Field.SEQ, new BsonTimestamp(0, 0));
        mongo.source().collections().events().insertOne(pending, new InsertOneOptions().bypassDocumentValidation(true));
        database.runCommand(EventValidator.firstCommand("outbox_event"));

        mongo.installed();

        assertThat(new MongoOperatorStore(mongo.source())
                        .find("old")
                        .orElseThrow()
                        .status())
                .isEqualTo(EventStatus.DEAD);
        new MongoSchema(mongo.source()).check();
    }

    @Test
    void anOlderLibraryChangesNothing() {
        mongo.installed();
        mongo.source().collections().meta().updateMany(new Document(), Updates.set(MetaDocument.VERSION, 99));
        MongoDatabase database = mongo.client().getDatabase(mongo.source().databaseName());
        database.runCommand(new Document("collMod", "outbox_event").append("validator", new Document()));

        mongo.installed();

        assertThat(EventValidator.isOn(mongo.source().collections())).isFalse();
    }

    @Test
    void isRefusedWhenItIsOfAnotherVersion() {
        mongo.installed();
        mongo.source().collections().meta().updateMany(new Document(), Updates.set(MetaDocument.VERSION, 99));

        assertThatThrownBy(() -> new MongoClaimStore(mongo.source()).open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("version 99", "newer");
        mongo.source().collections().meta().updateMany(new Document(), Updates.set(MetaDocument.VERSION, 0));
        assertThatThrownBy(() -> new MongoClaimStore(mongo.source()).open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("version 0", "needs " + MongoSchema.VERSION);
    }

    @Test
    void hasOnlyPartialIndexesAndPrintsThem() {
        mongo.installed();

        assertThat(mongo.source().collections().events().listIndexes())
                .filteredOn(index -> !index.getString("name").equals("_id_"))
                .hasSize(EventIndex.ALL.size())
                .allMatch(index -> index.containsKey("partialFilterExpression"));
        assertThat(new MongoSchema(mongo.source()).print())
                .hasSize(EventIndex.ALL.size() + 3)
                .contains("db.getCollection(\"outbox_audit\").createIndex({ seq: 1 }, { name: \"place\" })")
                .contains("db.getCollection(\"outbox_event\").createIndex({\"dueAt\": 1, \"seq\": 1},"
                        + " { name: \"due\", partialFilterExpression: {\"status\": \"PENDING\"} })")
                .anyMatch(line -> line.contains("\"slot\"") && line.contains("{\"$gte\": Timestamp(0, 1)}"))
                .noneMatch(line -> line.contains("$timestamp"));
    }

    @Test
    void forPartitionsLeavesOutTheIndexOfDispatchersAndRefusesThem() {
        new MongoSchema(mongo.source()).installForPartitions();

        join();
        new MongoStatisticsStore(mongo.source()).statistics(100);
        assertThatThrownBy(() -> new MongoClaimStore(mongo.source()).open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("due", "install()");
        assertThatThrownBy(() -> new MongoClusterStore(mongo.source())
                        .join(
                                new Member("other", "other", 1, "test", "here"),
                                new ClusterLayout(ClaimStrategy.LEASE, 6),
                                Duration.ofMinutes(1)))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("due");
    }

    /** Version 1 had no places in the audit, and no index for them. */
    @Test
    void bringsTheFirstVersionUpToDate() {
        mongo.installed();
        OutboxCollections collections = mongo.source().collections();
        collections.audit().drop();
        for (int n = 0; n < 3; n++) {
            collections
                    .audit()
                    .insertOne(new Document("who", "anna")
                            .append("action", "hold")
                            .append("subject", "key " + n)
                            .append("at", Date.from(Instant.parse("2026-05-01T00:00:00Z"))));
        }
        String event = new Publisher(mongo.client(), mongo.source()).publish("a");
        collections.events().updateOne(Filters.eq(event), Updates.set(Field.ACKNOWLEDGED, List.of("first", "second")));
        collections.meta().updateMany(new Document(), Updates.set(MetaDocument.VERSION, 1));
        assertThatThrownBy(() -> new MongoSchema(mongo.source()).check())
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("version 1", "install()");

        assertThat(new MongoSchema(mongo.source()).install())
                .as("it was somebody's before")
                .isFalse();

        new MongoSchema(mongo.source()).check();
        MongoOperatorStore operator = new MongoOperatorStore(mongo.source());
        operator.note(new OperatorAction("anna", null), "reveal", "now");
        assertThat(operator.audit(new AuditQuery(null, 10)))
                .extracting(AuditEntry::subject)
                .containsExactly("now", "key 2", "key 1", "key 0");
        assertThat(new MongoPartitionStore(mongo.source()).acknowledged(List.of(event)))
                .containsEntry(event, Set.of("first", "second"));
        assertThat(operator.history(event).acknowledged())
                .extracting(EventHistory.Acknowledged::target)
                .containsExactly("first", "second");
    }

    @Test
    void letsTheServerDeleteWhatIsDone() {
        TestMongo.requireServer();
        try (MongoDb server = MongoDbServer.start(Map.of("ttlMonitorSleepSecs", "1"));
                TestMongo own = TestMongo.on(server.uri()).installed()) {
            new MongoSchema(own.source()).expireDone(Duration.ofSeconds(1));
            Publisher publisher = new Publisher(own.client(), own.source());
            String done = publisher.publish("a");
            String pending = publisher.publish("b");
            MongoClaimStore dispatch = new MongoClaimStore(own.source());
            dispatch.claimOne(done, new ClaimTerms("token", Duration.ofMinutes(1)));
            new MongoSettleStore(own.source())
                    .settle(new SettleRequest(
                            new SettleRequest.Fence.Tokens(),
                            "node",
                            List.of(new SettleItem(new Settlement.Done(new Claim(done, "token")), 0, "there")),
                            SettleRequest.DoneRows.KEEP));

            MongoOperatorStore operator = new MongoOperatorStore(own.source());
            Pause.until("the done event has expired", () -> operator.find(done).isEmpty());

            assertThat(operator.find(pending)).isPresent();
            dispatch.open(); // The index that makes events expire is still the one that is expected.
            new MongoSchema(own.source()).install(); // As at the next start.
        }
    }

    @Test
    void refusesAnAgeThatIsNone() {
        assertThatThrownBy(() -> new MongoSchema(mongo.source()).expireDone(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
    }

    @Test
    void aServerWithoutAReplicaSetIsRefusedWithTheReason() {
        TestMongo.requireServer();
        try (MongoDb alone = MongoDbServer.startStandalone();
                TestMongo own = TestMongo.on(alone.uri())) {
            assertThatThrownBy(own::installed)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContainingAll("replica set", "transactions", "rs.initiate()");
            assertThatThrownBy(() -> new MongoClaimStore(own.source()).open()).hasMessageContaining("replica set");
            assertThat(new MongoDiagnosisStore(own.source()).findings())
                    .hasSize(1)
                    .allMatch(finding -> finding.is(FindingCode.NO_REPLICA_SET));
            ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
            OutboxClient client = OutboxClient.storeOnly(new MongoPublishStore(context, own.source()));
            MongoTransactions transactions = new MongoTransactions(own.client(), context);
            assertThatThrownBy(() ->
                            transactions.run(session -> client.publish(EventEnvelope.ofJson("OrderPlaced", "{}"))))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContainingAll("replica set", "transactions");
        }
    }

    @Test
    void givesWhatStoppedRelaysWorkedToDispatchers() {
        mongo.installed();
        join();
        MongoClaimStore dispatch = new MongoClaimStore(mongo.source());
        assertThatThrownBy(dispatch::open)
                .isInstanceOf(LayoutMismatchException.class)
                .hasMessageContainingAll("outbox_event", "partitioned", "MongoSchema.changeToDispatchers()");

        new MongoSchema(mongo.source()).changeToDispatchers();

        dispatch.open();
    }

    /** In version 2, dispatchers could keep the order of keys, and held lanes for that. */
    @Test
    void freesWhatDispatchersWorkedInOrder() {
        mongo.installed();
        OutboxCollections collections = mongo.source().collections();
        String event = new Publisher(mongo.client(), mongo.source()).publish("a");
        collections
                .events()
                .createIndex(
                        new Document("heldLane", 1),
                        new IndexOptions().name("held").partialFilterExpression(Filters.exists("heldLane")));
        collections.events().updateOne(Filters.eq(event), Updates.set("heldLane", 17));
        collections
                .meta()
                .updateMany(
                        new Document(),
                        Updates.combine(
                                Updates.set(MetaDocument.VERSION, 2),
                                Updates.set(MetaDocument.STRATEGY, "dispatcher-ordered")));

        new MongoSchema(mongo.source()).install();

        new MongoClaimStore(mongo.source()).open();
        assertThat(collections.events().listIndexes())
                .extracting(index -> index.getString("name"))
                .doesNotContain("held");
        assertThat(collections.events().find(Filters.eq(event)).first()).doesNotContainKey("heldLane");
    }

    private Document meta() {
        return mongo.source()
                .collections()
                .meta()
                .find(Filters.eq("outbox_event"))
                .first();
    }

    private void join() {
        int partitions = meta() == null || !meta().containsKey(MetaDocument.WANTED) ? 6 : 12;
        new MongoClusterStore(mongo.source())
                .join(
                        new Member("session", "node", 1, "test", "here"),
                        new ClusterLayout(ClaimStrategy.PARTITIONED, partitions),
                        Duration.ofMinutes(1));
    }
}
