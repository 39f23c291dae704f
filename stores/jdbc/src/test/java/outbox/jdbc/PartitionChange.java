package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.internal.relay.JdbcClusterAdmin;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.jdbc.internal.schema.PartitionIndexes;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionFetch;

/** The number of partitions of a live table changes while producers go on writing, and nothing is lost. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
abstract class PartitionChange {

    private static final int WRITTEN_MEANWHILE = 20;

    TestDatabase database;
    private JdbcClusterAdmin admin;
    private JdbcClusterStore cluster;

    abstract TestDatabase openDatabase();

    /** Whether every number of partitions has an index of its own. */
    boolean hasIndexes() {
        return true;
    }

    private Set<Integer> indexes(Integer... partitions) {
        return hasIndexes() ? Set.of(partitions) : Set.of();
    }

    @BeforeEach
    void open() {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        admin = new JdbcClusterAdmin(database.connections());
        cluster = new JdbcClusterStore(database.connections());
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    @Test
    void producersGoOnWritingWhileTheNumberOfPartitionsChanges() throws Exception {
        List<String> published = Collections.synchronizedList(new ArrayList<>());
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        CompletableFuture<?> writer = CompletableFuture.runAsync(() -> {
            while (!stop.get()) {
                published.add(publish());
                written.incrementAndGet();
            }
        });
        awaitWrites(written, writer);
        for (int partitions : new int[] {12, 1, 64, 2, 3, 4, 5, 64}) {
            admin.changePartitions(partitions, "test");
            assertThat(cluster.repartition()).isTrue();
            awaitWrites(written, writer);
            admin.dropUnusedPartitionIndexes();
            awaitWrites(written, writer);
        }
        stop.set(true);
        writer.get(30, TimeUnit.SECONDS);

        assertThat(read(64)).containsExactlyInAnyOrderElementsOf(published);
        assertThat(new PartitionIndexes(database.connections(), TableNames.DEFAULT).all())
                .isEqualTo(indexes(64));
    }

    @Test
    void aChangeIsFinishedByTheFirstToJoinWithTheNewNumber() {
        admin.changePartitions(12, "test");
        ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, 12);
        cluster.join(new Member("session", "node", 1, "test", "here"), terms, Duration.ofMinutes(1));

        assertThat(cluster.heartbeat(Heartbeat.of("session", Duration.ofMinutes(1)))
                        .orElseThrow()
                        .terms())
                .isEqualTo(terms);
        assertThat(cluster.acquire(Set.of(11), "session", terms)).hasSize(1);
        assertThat(admin.dropUnusedPartitionIndexes()).isEqualTo(indexes(6));
        assertThat(admin.dropUnusedPartitionIndexes()).isEmpty();
    }

    @Test
    void whatIsWantedIsNotDroppedAndCanBeTakenBack() {
        admin.changePartitions(12, "test");
        assertThat(admin.dropUnusedPartitionIndexes()).isEmpty();
        admin.changePartitions(6, "test");
        assertThat(cluster.repartition()).isFalse();
        assertThat(admin.dropUnusedPartitionIndexes()).isEqualTo(indexes(12));
        admin.changePartitions(12, "test"); // Made anew.
        assertThat(cluster.repartition()).isTrue();
    }

    private static void awaitWrites(AtomicInteger written, CompletableFuture<?> writer) {
        int before = written.get();
        while (written.get() < before + WRITTEN_MEANWHILE && !writer.isDone()) {
            Thread.onSpinWait();
        }
        assertThat(writer).isNotDone();
    }

    private String publish() {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        EventEnvelope event = EventEnvelope.ofJson("A", "{}");
        try {
            new JdbcTransactionManager(database.connections(), context).run(conn -> client.publish(event));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return event.eventId();
    }

    private List<String> read(int partitions) {
        ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, partitions);
        JdbcPartitionStore store = new JdbcPartitionStore(database.connections());
        List<String> ids = new ArrayList<>();
        for (int slot = 0; slot < partitions; slot++) {
            store.fetch(List.of(new PartitionFetch(terms, slot, 0, Set.of(), 100_000, 1 << 30)))
                    .getFirst()
                    .events()
                    .forEach(event -> ids.add(event.event().eventId()));
        }
        return ids;
    }
}
