package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import catbox.verification.Deliveries.Delivery;
import catbox.verification.Instance.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;

/** Two application instances, each in a JVM of its own, on one table in PostgreSQL. */
class SeveralInstancesIT {

    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final int RETRY = 2;

    private final List<Instance> instances = new ArrayList<>();
    private String jdbcUrl;
    private Deliveries deliveries;
    private JdbcTransactionManager transactions;
    private OutboxClient storeOnly;

    @BeforeEach
    void createDatabase() {
        DatabaseServer server = DevServices.postgres();
        jdbcUrl = server.createDatabase("instances_" + COUNTER.incrementAndGet());
        deliveries = new Deliveries(jdbcUrl, server.user());
        deliveries.createTable();
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(deliveries.dataSource());
        new SchemaInstaller(connections).install();
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        transactions = new JdbcTransactionManager(connections, context);
        storeOnly = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
    }

    @AfterEach
    void stop() {
        instances.forEach(Instance::close);
        deliveries.close();
    }

    @Test
    void shareABacklogAndNeverProcessAnEventTwice() throws Exception {
        storeBacklog("Plain", 2_000);
        Instance a = start("A", Settings.unordered(30_000));
        Instance b = start("B", Settings.unordered(30_000));
        a.go();
        b.go();
        deliveries.awaitAllDone();

        assertThat(deliveries.all()).hasSize(2_000);
        assertThat(deliveries.all()).extracting(Delivery::eventId).doesNotHaveDuplicates();
        assertThat(deliveries.all()).extracting(Delivery::instance).contains("A", "B");
    }

    @Test
    void aSlowListenerKeepsItsClaim() throws Exception {
        Instance a = start("A", Settings.unordered(1_000)).go();
        storeBacklog("Block", 1);
        awaitDeliveries(1);
        start("B", Settings.unordered(1_000)).go();

        // Three leases pass by the database's clock while A is at it, and A's renewals with them.
        long claimedUntil = claimedUntil();
        Deliveries.await("A renews its claim", () -> claimedUntil() > claimedUntil + 3_000);
        a.send("unblock");
        deliveries.awaitAllDone();

        assertThat(deliveries.all()).extracting(Delivery::instance).containsExactly("A");
    }

    @Test
    void aLateInstanceChangesNothing() throws Exception {
        Instance a = start("A", Settings.unordered(500)).go();
        storeBacklog("BlockAtA", 1);
        awaitDeliveries(1);
        a.pause();
        start("B", Settings.unordered(500)).go();
        Deliveries.await("B takes over and settles", () -> status() == RETRY);
        String settledByB = settledState();

        a.resume();
        a.send("unblock");
        a.closeAndWait(); // A has tried to settle its success by now.

        assertThat(settledState()).isEqualTo(settledByB).contains("refused by B");
        assertThat(deliveries.all()).extracting(Delivery::instance).containsExactly("A", "B");
    }

    @Test
    void claimsOfACrashedInstanceArePickedUpAfterExpiry() throws Exception {
        Instance a = start("A", Settings.unordered(1_500)).go();
        storeBacklog("BlockAtA", 4);
        awaitDeliveries(4);
        a.kill();
        long expiresAt = deliveries.number(
                "SELECT (extract(epoch FROM min(claimed_until)) * 1000000)::bigint FROM outbox_event");
        start("B", Settings.unordered(1_500)).go();
        Deliveries.await(
                "B settles what A held",
                () -> deliveries.number("SELECT count(*) FROM outbox_event WHERE status = 2") == 4);

        assertThat(deliveries.all().subList(4, 8)).allSatisfy(delivery -> {
            assertThat(delivery.instance()).isEqualTo("B");
            assertThat(delivery.startedAt()).isGreaterThanOrEqualTo(expiresAt);
        });
    }

    @Test
    void theHotPathAndAnotherInstancesPollerDoNotCollide() throws Exception {
        Instance a = start("A", Settings.unordered(30_000)).go();
        start("B", new Settings(false, 30_000, 0, 1)).go();
        a.send("publish Plain 300");
        a.expect("published");
        deliveries.awaitAllDone();

        assertThat(deliveries.all()).hasSize(300);
        assertThat(deliveries.all()).extracting(Delivery::eventId).doesNotHaveDuplicates();
        // B skips nothing for being recent; it is A's claim from the INSERT on that keeps it away.
        assertThat(deliveries.all()).extracting(Delivery::instance).containsOnly("A");
    }

    @Test
    void theyDoNotCollideWhenTheTransactionTookLongerThanSkipRecent() throws Exception {
        Instance a = start("A", new Settings(false, 30_000, 200, 1)).go();
        start("B", new Settings(false, 30_000, 200, 1)).go();
        a.send("publish-slowly Plain");
        a.expect("stored");
        awaitDatabaseClock(1_000);
        a.send("commit");
        a.expect("published");
        deliveries.awaitAllDone();

        assertThat(deliveries.all()).extracting(Delivery::instance).containsExactly("A");
    }

    @Test
    void theyDoNotCollideWhenTheTransactionTookLongerThanTheLease() throws Exception {
        Instance a = start("A", new Settings(false, 500, 0, 1)).go();
        start("B", new Settings(false, 500, 0, 1)).go();
        for (int i = 0; i < 5; i++) {
            a.send("publish-slowly Plain");
            a.expect("stored");
            awaitDatabaseClock(700);
            a.send("commit");
            a.expect("published");
        }
        deliveries.awaitAllDone();

        // Whoever of the two claimed it after the commit delivered it, and nobody else.
        assertThat(deliveries.all()).hasSize(5);
        assertThat(deliveries.all()).extracting(Delivery::eventId).doesNotHaveDuplicates();
    }

    @Test
    void keepsOrderPerKeyAcrossInstancesWithRetriesAndLateCommits() throws Exception {
        new JdbcStores(new DataSourceConnectionProvider(deliveries.dataSource()))
                .clusterAdmin()
                .changePartitions(InstanceMain.PARTITIONS, "test");
        Settings ordered = new Settings(true, 30_000, 0, 20);
        start("A", ordered).go();
        start("B", ordered).go();
        Deliveries.await(
                "each has one of the partitions",
                () -> deliveries.number("SELECT count(DISTINCT owner) FROM outbox_slot") == InstanceMain.PARTITIONS);
        List<KeyWriter.Written> written = KeyWriter.writeConcurrently(deliveries.dataSource());
        deliveries.awaitAllDone();

        assertThat(OrderCheck.violations(written, deliveries.all())).isEmpty();
        assertThat(deliveries.all()).extracting(Delivery::instance).contains("A", "B");
    }

    private Instance start(String name, Settings settings) throws Exception {
        Instance instance = Instance.start(name, jdbcUrl, DevServices.postgres().user(), settings);
        instances.add(instance);
        return instance;
    }

    private void storeBacklog(String type, int count) throws Exception {
        List<EventEnvelope> events = IntStream.range(0, count)
                .mapToObj(i -> EventEnvelope.ofJson(type, "{\"no\":" + i + "}"))
                .toList();
        transactions.run(conn -> storeOnly.publishAll(events));
    }

    private void awaitDeliveries(int count) {
        Deliveries.await(
                count + " deliveries began", () -> deliveries.number("SELECT count(*) FROM delivery") == count);
    }

    private void awaitDatabaseClock(long millis) {
        long from = deliveries.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
        Deliveries.await(
                millis + " ms pass",
                () -> deliveries.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
                        >= from + millis);
    }

    private long claimedUntil() {
        return deliveries.number("SELECT (extract(epoch FROM claimed_until) * 1000)::bigint FROM outbox_event");
    }

    private long status() {
        return deliveries.number("SELECT status FROM outbox_event");
    }

    private String settledState() {
        return deliveries.text(
                "SELECT concat_ws('|', status, attempts, last_error, last_attempt_at, done_at, claim_token) FROM outbox_event");
    }
}
