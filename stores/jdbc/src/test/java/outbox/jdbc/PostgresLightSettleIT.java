package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;
import outbox.spi.relay.PartitionOwnership;

/** What a dispatcher has done does not wait for the disk, everything else does; and no setting outlives its transaction. */
final class PostgresLightSettleIT {

    private static final ClaimTerms TERMS = new ClaimTerms("token", Duration.ofMinutes(1));

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        database.execute("UPDATE outbox_slot SET owner = 'session', epoch = 1 WHERE slot = 3");
        database.execute("CREATE TABLE seen (waits text, scans text)");
        database.execute("CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO seen VALUES"
                + " (current_setting(''synchronous_commit''), current_setting(''enable_seqscan'')); RETURN NULL; END'");
        database.execute("CREATE TRIGGER seeing AFTER UPDATE ON outbox_event FOR EACH ROW EXECUTE FUNCTION see()");
        database.dataSource().setMaximumPoolSize(1); // One session, which would keep what leaks.
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyADispatcherDoesNotWaitForWhatIsDone(boolean autoCommit) throws SQLException {
        ConnectionProvider connections = () -> {
            Connection conn = database.dataSource().getConnection();
            conn.setAutoCommit(autoCommit);
            return conn;
        };
        JdbcPartitionStore relay = new JdbcPartitionStore(connections);
        JdbcOutboxRepository repository = new JdbcOutboxRepository();
        ClaimStore claims = repository.claims(connections);
        SettleStore dispatcher = repository.settlements(connections);

        assertThat(seenBy(id -> written(dispatcher.settle(byToken(new Settlement.Done(claim(id)))))))
                .containsExactly("off off");
        assertThat(seenBy(id -> written(dispatcher.settle(byToken(new Settlement.Dead(claim(id), "never"))))))
                .containsExactly("on off");
        assertThat(seenBy(id -> claims.claim(new ClaimRequest(TERMS, Duration.ZERO, 10, 1 << 20))
                        .size()))
                .containsExactly("on off");
        assertThat(seenBy(id -> written(relay.settle(request(new Settlement.Done(claim(id)))))))
                .containsExactly("on off");
        assertThat(seenBy(id -> written(relay.settle(request(new Settlement.Dead(claim(id), "never"))))))
                .containsExactly("on off");
    }

    private interface Work {
        int run(String eventId);
    }

    /** What was set while an event was changed; and afterwards everything is as it was. */
    private List<String> seenBy(Work work) throws SQLException {
        EventEnvelope event = EventEnvelope.builder("A").payloadJson("{}").build();
        database.execute("TRUNCATE outbox_event, seen");
        try (Connection conn = database.dataSource().getConnection()) {
            new JdbcOutboxRepository().insertNew(conn, event);
        }
        database.execute("UPDATE outbox_event SET claim_token = 'token'");
        database.execute("TRUNCATE seen");
        assertThat(work.run(event.eventId())).isEqualTo(1);
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement()) {
            assertThat(Sql.strings(statement.executeQuery("SELECT current_setting('synchronous_commit') || ' ' ||"
                            + " current_setting('enable_seqscan')")))
                    .containsExactly("on on");
            return Sql.strings(statement.executeQuery("SELECT waits || ' ' || scans FROM seen"));
        }
    }

    private static Claim claim(String eventId) {
        return new Claim(eventId, TERMS.token());
    }

    private static int written(SettleResult result) {
        return ((SettleResult.Settled) result).written();
    }

    private static SettleRequest byToken(Settlement settlement) {
        return new SettleRequest(
                new Fence.Tokens(),
                "dispatcher",
                List.of(new SettleItem(settlement, 0, "listeners")),
                DoneRows.KEEP,
                List.of(),
                true);
    }

    private static SettleRequest request(Settlement settlement) {
        return new SettleRequest(
                new Fence.Ownership(new PartitionOwnership(3, 1, "session")),
                "node",
                List.of(new SettleItem(settlement, 0, "there")),
                DoneRows.KEEP);
    }
}
