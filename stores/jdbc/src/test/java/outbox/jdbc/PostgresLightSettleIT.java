package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.SettleRequest;
import outbox.model.SettleRequest.DoneRows;
import outbox.model.SettleRequest.Fence;
import outbox.model.Settlement;
import outbox.model.SlotHold;
import outbox.model.Verdict;
import outbox.spi.JdbcDispatchStore;

/** What only says that events are done does not wait for the disk; everything else does. */
final class PostgresLightSettleIT {

    /** The server's writer of the log may be quicker once or twice, and not so often. */
    private static final int TIMES = 20;

    private static final String TOKEN = "token";

    private TestDatabase database;
    private JdbcRelayStore relay;
    private JdbcDispatchStore dispatcher;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        database.execute("UPDATE outbox_slot SET owner = 'session', epoch = 1 WHERE slot = 3");
        relay = new JdbcRelayStore(database.connections());
        dispatcher = new JdbcDispatchStore(database.connections(), new JdbcOutboxRepository());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void doneEventsAreNotWaitedFor() throws SQLException {
        assertThat(timesInMemoryOnly(id -> relay.settle(request(new Settlement.Done(claim(id)), DoneRows.KEEP))))
                .isPositive();
        assertThat(timesInMemoryOnly(id -> relay.settle(request(new Settlement.Done(claim(id)), DoneRows.DELETE))))
                .isPositive();
        assertThat(timesInMemoryOnly(id -> dispatcher.settle(List.of(new Settlement.Done(claim(id))))))
                .isPositive();
    }

    @Test
    void failuresAreWaitedFor() throws SQLException {
        Duration delay = Duration.ofMinutes(1);
        assertThat(timesInMemoryOnly(
                        id -> relay.settle(request(new Settlement.Retry(claim(id), delay, "no"), DoneRows.KEEP))))
                .isZero();
        assertThat(timesInMemoryOnly(id -> dispatcher.settle(List.of(new Settlement.Dead(claim(id), "never")))))
                .isZero();
    }

    private interface Settling {
        int settle(String eventId);
    }

    private int timesInMemoryOnly(Settling settling) throws SQLException {
        int times = 0;
        for (int n = 0; n < TIMES; n++) {
            EventEnvelope event = EventEnvelope.builder("A").payloadJson("{}").build();
            try (Connection conn = database.dataSource().getConnection();
                    Statement statement = conn.createStatement()) {
                new JdbcOutboxRepository()
                        .insertNew(conn, List.of(event), new ClaimTerms(TOKEN, Duration.ofMinutes(1)));
                assertThat(settling.settle(event.eventId())).isEqualTo(1);
                try (ResultSet row = statement.executeQuery(
                        "SELECT pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn() AS in_memory")) {
                    row.next();
                    times += row.getBoolean("in_memory") ? 1 : 0;
                }
            }
        }
        return times;
    }

    private static Claim claim(String eventId) {
        return new Claim(eventId, TOKEN);
    }

    private static SettleRequest request(Settlement settlement, DoneRows doneRows) {
        return new SettleRequest(
                new Fence.Slot(new SlotHold(3, 1, "session")),
                "node",
                List.of(new Verdict(settlement, 0, "there", null)),
                doneRows);
    }
}
