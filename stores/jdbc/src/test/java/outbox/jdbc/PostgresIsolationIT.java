package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ConnectionProvider;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;

/** A settlement on a pool with a stricter isolation level waits for a renewal of its claim, and is then written. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PostgresIsolationIT {

    private final TestDatabase database = TestDatabase.postgres();

    @BeforeEach
    void install() {
        new SchemaInstaller(database.connections()).install();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void writesWhatARenewalHasJustChanged(int isolation) throws Exception {
        ConnectionProvider strict = () -> {
            Connection conn = database.dataSource().getConnection();
            conn.setTransactionIsolation(isolation);
            return conn;
        };
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        JdbcOutboxRepository repository = new JdbcOutboxRepository();
        OutboxClient client = OutboxClient.storeOnly(repository.publisher(context));
        EventEnvelope event = EventEnvelope.ofJson("A", "{}");
        new JdbcTransactionManager(database.connections(), context).run(conn -> client.publish(event));
        ClaimTerms terms = new ClaimTerms("token", Duration.ofMinutes(1));
        repository.claims(database.connections()).claim(new ClaimRequest(terms, Duration.ZERO, 10, 1 << 20));
        SettleItem done = new SettleItem(new Settlement.Done(new Claim(event.eventId(), "token")), 0, "listeners");
        SettleRequest request = new SettleRequest(new Fence.Tokens(), "here", List.of(done), DoneRows.KEEP);

        try (Connection renewal = database.dataSource().getConnection();
                Statement statement = renewal.createStatement()) {
            renewal.setAutoCommit(false);
            statement.execute("UPDATE outbox_event SET claimed_until = claimed_until + INTERVAL '1 minute'");
            CompletableFuture<SettleResult> settle = CompletableFuture.supplyAsync(
                    () -> repository.settlements(strict).settle(request));
            while (Sql.strings(statement.executeQuery("SELECT 1 FROM pg_locks WHERE NOT granted"))
                    .isEmpty()) {
                Thread.onSpinWait();
            }
            renewal.commit();

            assertThat(settle.get(30, TimeUnit.SECONDS)).isEqualTo(SettleResult.allWritten(1));
        }
    }
}
