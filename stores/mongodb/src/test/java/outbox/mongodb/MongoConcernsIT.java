package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DevServices;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.internal.KeyHash;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.relay.MongoClusterAdmin;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.spi.ClaimRequest;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PeekRequest;

/** Whatever the application's client is set to, the outbox asks for what its promises need. */
@Timeout(60)
class MongoConcernsIT {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    private final List<BsonDocument> commands = new CopyOnWriteArrayList<>();
    private TestMongo mongo;
    private MongoClient careless;
    private MongoSource source;

    @BeforeEach
    void open() {
        mongo = TestMongo.open().installed();
        careless = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(DevServices.mongoDbUri()))
                .readConcern(ReadConcern.LOCAL)
                .writeConcern(WriteConcern.W1)
                .readPreference(ReadPreference.secondaryPreferred())
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        commands.add(event.getCommand().clone());
                    }
                })
                .build());
        source = new MongoSource(careless, mongo.source().databaseName());
        new Publisher(careless, source).publish("k");
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            careless.close();
            mongo.close();
        }
    }

    @Test
    void everyLookIsOneCommandOnOneSnapshot() {
        MongoPartitionStore relay = new MongoPartitionStore(source);

        assertSnapshot(() -> relay.fetch(List.of(new PartitionFetch(TERMS, 0, 0, Set.of(), 10, 1_000)))
                .getFirst());
        assertSnapshot(() -> relay.fetchLanes(new LaneFetch(Set.of(1, 2), 10, 1_000)));
        PeekRequest peek = new PeekRequest(TERMS, List.of(new PeekRequest.Position(0, 0, Set.of())), null);
        relay.peek(peek); // Once a minute a poll also searches for events that no partition shows.
        assertSnapshot(() -> relay.peek(peek));
    }

    @Test
    void aClaimChoosesOnOneSnapshot() {
        for (boolean suspects : List.of(false, true)) {
            commands.clear();
            ClaimTerms terms = new ClaimTerms("suspects " + suspects, Duration.ofMillis(1));
            new MongoClaimStore(source).claim(new ClaimRequest(terms, Duration.ZERO, 10, 1_000, suspects));

            assertThat(commands).isNotEmpty();
            assertThat(readConcern(commands.getFirst())).isEqualTo("snapshot");
        }
    }

    @Test
    void aSettlementIsATransactionThatAMajorityHas() {
        MongoClusterStore cluster = new MongoClusterStore(source);
        cluster.join(new Member("session", "node", 1, "test", "here"), TERMS, Duration.ofMinutes(1));
        PartitionOwnership hold =
                cluster.acquire(Set.of(0), "session", TERMS).getFirst().ownership();
        MongoPartitionStore store = new MongoPartitionStore(source);
        SettleRequest request = new SettleRequest(
                new Fence.Ownership(hold),
                "node",
                List.of(new SettleItem(new Settlement.Done(new Claim("none", "none")), 0, "there")),
                DoneRows.KEEP);
        store.settle(request); // The first one notes the session, for whoever takes over.
        commands.clear();

        store.settle(request);

        assertThat(commands)
                .extracting(BsonDocument::getFirstKey)
                .containsExactly("update", "update", "commitTransaction");
        assertThat(readConcern(commands.getFirst())).isEqualTo("snapshot");
        assertThat(commands.getLast().getDocument("writeConcern").get("w")).isEqualTo(new BsonString("majority"));
    }

    @Test
    void whatIsWrittenOutsideATransactionAMajorityHas() {
        commands.clear();
        new MongoClusterStore(source).heartbeat(Heartbeat.of("nobody", Duration.ofSeconds(1)));
        new MongoClaimStore(source).release(Set.of(new Claim("none", "none")));

        assertThat(commands).extracting(BsonDocument::getFirstKey).containsExactly("update", "update");
        assertThat(commands)
                .allMatch(
                        command -> command.getDocument("writeConcern").get("w").equals(new BsonString("majority")));
    }

    private void assertSnapshot(Runnable look) {
        commands.clear();
        look.run();
        assertThat(commands).hasSize(1);
        assertThat(readConcern(commands.getFirst())).isEqualTo("snapshot");
        assertThat(commands.getFirst().containsKey("$readPreference")).isFalse();
    }

    private static String readConcern(BsonDocument command) {
        return command.getDocument("readConcern").getString("level").getValue();
    }

    /** All nodes share that document: whoever freezes while it is written keeps the others from it. */
    @Test
    void aSettleThatHaltsAKeyWritesTheSharedDocumentLast() {
        MongoClusterStore cluster = new MongoClusterStore(source);
        cluster.join(new Member("session", "node", 1, "test", "here"), TERMS, Duration.ofMinutes(10));
        int slot = TERMS.partitionOf(KeyHash.of("k"));
        PartitionOwnership hold =
                cluster.acquire(Set.of(slot), "session", TERMS).getFirst().ownership();
        List<String> ids =
                List.of(new Publisher(careless, source).publish("k"), new Publisher(careless, source).publish("k"));
        List<SettleItem> items = List.of(
                new SettleItem(
                        new Settlement.Dead(new Claim(ids.get(0), hold.token()), "refused"), 0, "there", "k", false),
                new SettleItem(
                        new Settlement.Retry(new Claim(ids.get(1), hold.token()), Duration.ZERO, "later"), 0, "there"));
        commands.clear();

        assertThat(new MongoPartitionStore(source)
                        .settle(new SettleRequest(new Fence.Ownership(hold), "node", items, DoneRows.KEEP)))
                .isEqualTo(SettleResult.allWritten(2));

        List<String> written = commands.stream()
                .filter(command -> command.containsKey("txnNumber"))
                .map(command -> command.getFirstKey() + " " + command.get(command.getFirstKey()))
                .toList();
        assertThat(written.getLast()).startsWith("commitTransaction");
        assertThat(written.get(written.size() - 2)).contains("outbox_meta");
        assertThat(written.stream().filter(one -> one.contains("outbox_meta"))).hasSize(1);
        assertThat(new MongoClusterAdmin(source).pauses()).hasSize(1);
    }
}
