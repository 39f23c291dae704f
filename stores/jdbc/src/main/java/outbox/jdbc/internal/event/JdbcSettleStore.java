package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import outbox.OutboxException;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.AnswerTimes;
import outbox.jdbc.internal.sql.GuardedTransaction;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.ConnectionProvider;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;

/**
 * Settles in the event table. A batch of done events, which most are, is one statement where that can be: on PostgreSQL
 * behind every fence, elsewhere behind tokens. Everything else is a transaction of a few statements.
 */
public record JdbcSettleStore(ConnectionProvider connections, EventTable table) implements SettleStore {

    @Override
    public SettleResult settle(SettleRequest request) {
        Dialect dialect = table.in(connections).dialect();
        Optional<Dialect.SettleStatement> single = dialect.settleStatement(table.names(), request);
        boolean update = single.isEmpty() && isDoneByToken(request);
        return single.flatMap(this::execute)
                .orElseGet(() -> GuardedTransaction.run(
                        connections,
                        table.answerMax(),
                        conn -> dialect,
                        conn -> update
                                ? update(conn, dialect, request)
                                : new SettleTransaction(dialect, table.names(), request).execute(conn)));
    }

    /** Empty if the connection has a stricter isolation level than READ COMMITTED and another has just changed a row. */
    private Optional<SettleResult> execute(Dialect.SettleStatement statement) {
        Duration answerMax = table.answerMax();
        try {
            return Optional.of(SingleStatement.run(
                    connections, answerMax, conn -> statement.execute(conn, AnswerTimes.ofStatement(answerMax))));
        } catch (OutboxException e) {
            if (SqlFailure.isSerializationFailure(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private SettleResult update(Connection conn, Dialect dialect, SettleRequest request) {
        List<Claim> claims =
                request.items().stream().map(item -> item.settlement().claim()).toList();
        ClaimedUpdate done = ClaimedUpdate.of(SettleTransaction.done(dialect), claims);
        if (done.execute(conn, dialect, table.names().event(), "settle events") == claims.size()) {
            return SettleResult.allWritten(claims.size());
        }
        // Some claims were lost. An UPDATE does not show which: undo it, then lock the rows and read them.
        rollBack(conn);
        return new SettleTransaction(dialect, table.names(), request).execute(conn);
    }

    private static boolean isDoneByToken(SettleRequest request) {
        return request.fence() instanceof Fence.Tokens
                && request.doneRows() == DoneRows.KEEP
                && request.acknowledgements().isEmpty()
                && !request.items().isEmpty()
                && request.items().stream()
                        .allMatch(item -> item.settlement() instanceof Settlement.Done && !item.fansOut());
    }

    private static void rollBack(Connection conn) {
        try {
            conn.rollback();
        } catch (SQLException e) {
            throw SqlFailure.of("undo a settlement", e);
        }
    }
}
