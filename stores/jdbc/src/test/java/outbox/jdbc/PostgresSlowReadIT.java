package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.OutboxException;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;

/** A read that takes too long ends in the server as well, so that those which follow it do not pile up there. */
@Timeout(60)
class PostgresSlowReadIT {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    private TestDatabase database;
    private JdbcPartitionStore store;

    /** One read, as a relay makes it. */
    interface Look {
        void at(PartitionStore store);
    }

    static Stream<Look> looks() {
        PartitionFetch slot = new PartitionFetch(TERMS, 0, 0, Set.of(), 10, 1 << 20);
        return Stream.of(
                store -> store.fetch(List.of(slot)),
                store -> store.fetch(List.of(slot, slot)),
                store -> store.fetchLanes(new LaneFetch(Set.of(3), 10, 1 << 20)),
                store -> store.peek(new PeekRequest(TERMS, List.of(new PeekRequest.Position(0, 0, Set.of())), null)),
                store -> store.acknowledged(List.of("an-event")));
    }

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        store = new JdbcPartitionStore(
                database.connections(), TableNames.DEFAULT, TimeSource.SYSTEM, Duration.ofMillis(2_500));
        looks().forEach(look -> look.at(store));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @MethodSource("looks")
    void endsInTheServer(Look look) throws SQLException {
        try (Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE outbox_event, outbox_delivery IN ACCESS EXCLUSIVE MODE");

            assertThatThrownBy(() -> look.at(store)).isInstanceOf(OutboxException.class);

            assertThat(Sql.strings(
                            statement.executeQuery("SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                    + " AND datname = current_database()")))
                    .isEmpty();
            other.rollback();
        }
        look.at(store);
    }
}
