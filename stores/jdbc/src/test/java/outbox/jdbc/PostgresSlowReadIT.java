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
import outbox.model.ClaimStrategy;
import outbox.model.FetchRequest;
import outbox.model.LaneRequest;
import outbox.model.PollRequest;
import outbox.model.RelayTerms;
import outbox.spi.RelayStore;
import outbox.util.TimeSource;

/** A read that takes too long ends in the server as well, so that those which follow it do not pile up there. */
@Timeout(60)
class PostgresSlowReadIT {

    private static final RelayTerms TERMS = new RelayTerms(ClaimStrategy.PARTITIONED, 6);

    private TestDatabase database;
    private JdbcRelayStore store;

    /** One read, as a relay makes it. */
    interface Look {
        void at(RelayStore store);
    }

    static Stream<Look> looks() {
        FetchRequest slot = new FetchRequest(TERMS, 0, 0, Set.of(), Set.of(), 10, 1 << 20);
        return Stream.of(
                store -> store.fetch(slot),
                store -> store.fetchTogether(List.of(slot)),
                store -> store.fetchLanes(new LaneRequest(Set.of(3), 10, 1 << 20)),
                store -> store.poll(new PollRequest(TERMS, List.of(new PollRequest.Position(0, 0, Set.of())), null)),
                store -> store.acknowledged(List.of("an-event")));
    }

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        store = new JdbcRelayStore(
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
