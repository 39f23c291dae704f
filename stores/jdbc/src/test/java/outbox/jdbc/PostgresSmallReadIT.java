package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.jdbc.internal.dialect.PostgresDialect;
import outbox.jdbc.internal.dialect.PostgresReads;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.jdbc.internal.relay.PartitionRead;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionFetch;

/** A look for small events is bounded although nothing is summed up, and gives way where an event is large. */
class PostgresSmallReadIT {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 1);

    private final PostgresReads dialect = new PostgresReads(new PostgresDialect(), TableNames.DEFAULT);
    private final PartitionRead read =
            new PartitionRead(dialect, new PartitionFetch(TERMS, 0, 0, Set.of(), 10, 10_000), met -> {});

    @Test
    void leavesOutWhatIsLargeAndThenLooksAnew() throws SQLException {
        try (TestDatabase database = TestDatabase.postgres();
                Connection conn = database.dataSource().getConnection()) {
            new SchemaInstaller(database.connections()).install();
            insert(database, 1, 1_000);
            insert(database, 2, 1_001);

            try (PreparedStatement look = conn.prepareStatement(read.smallSql(dialect))) {
                read.bindSmall(conn, look);
                try (ResultSet rows = look.executeQuery()) {
                    assertThat(nextEvent(rows)).isEqualTo("1");
                    assertThat(rows.getString("payload")).hasSize(1_000);
                    assertThat(rows.getObject("size")).isNull();
                    assertThat(nextEvent(rows)).isEqualTo("2");
                    assertThat(rows.getString("payload"))
                            .as("ten of its size would not fit")
                            .isNull();
                    assertThat(rows.getLong("size")).isEqualTo(1_001);
                }
            }
            assertThat(dialect.fetch(conn, List.of(read)).getFirst().events())
                    .extracting(pending -> pending.event().payloadSize())
                    .containsExactly(1_000L, 1_001L);
        }
    }

    @Test
    void seesSeveralSlotsTogetherUnlessAnEventIsLarge() {
        ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
        List<PartitionFetch> requests = IntStream.of(1, 2)
                .mapToObj(slot -> new PartitionFetch(terms, slot, 0, Set.of(), 10, 10_000))
                .toList();
        try (TestDatabase database = TestDatabase.postgres()) {
            new SchemaInstaller(database.connections()).install();
            JdbcPartitionStore store = new JdbcPartitionStore(
                    database.connections(), TableNames.DEFAULT, TimeSource.SYSTEM, Duration.ofSeconds(10));
            insert(database, 1, 1_000);

            assertThat(store.fetch(requests))
                    .extracting(seen -> seen.events().size())
                    .containsExactly(1, 0);

            insert(database, 2, 1_001);
            assertThat(store.fetch(requests))
                    .as("each by itself")
                    .extracting(seen -> seen.events().size())
                    .containsExactly(2, 0);
        }
    }

    private static String nextEvent(ResultSet rows) throws SQLException {
        while (rows.next()) {
            if (rows.getString("event_id") != null) {
                return rows.getString("event_id");
            }
        }
        throw new AssertionError("no further event");
    }

    private static void insert(TestDatabase database, int number, int payloadBytes) {
        database.execute("INSERT INTO outbox_event (event_id, event_type, key_hash, payload, status, occurred_at,"
                + " available_at, created_at) VALUES ('" + number + "', 'A', 1, repeat('x', " + payloadBytes
                + "), 0, now(), now(), now())");
    }
}
