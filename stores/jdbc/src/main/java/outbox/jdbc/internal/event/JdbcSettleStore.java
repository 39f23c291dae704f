package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.AnswerTimes;
import outbox.jdbc.internal.sql.GuardedTransaction;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.jdbc.internal.sql.SqlFailure;
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
public final class JdbcSettleStore implements SettleStore {

    private final ConnectionProvider connections;
    private final EventTable table;

    public JdbcSettleStore(ConnectionProvider connections, EventTable table) {
        this.connections = connections;
        this.table = table;
    }

    @Override
    public SettleResult settle(SettleRequest request) {
        Dialect dialect = table.in(connections).dialect();
        Optional<Dialect.SettleStatement> single = dialect.settleStatement(table.names(), request);
        if (single.isPresent()) {
            return SingleStatement.run(
                    connections,
                    table.answerMax(),
                    conn -> single.get().execute(conn, AnswerTimes.ofStatement(table.answerMax())));
        }
        if (isDoneByToken(request) && isSettledAtOnce(dialect, request)) {
            return SettleResult.allWritten(request.items().size());
        }
        return GuardedTransaction.run(
                connections,
                table.answerMax(),
                conn -> dialect,
                new SettleTransaction(dialect, table.names(), request)::execute);
    }

    private static boolean isDoneByToken(SettleRequest request) {
        return request.fence() instanceof Fence.Tokens
                && request.doneRows() == DoneRows.KEEP
                && request.acknowledgements().isEmpty()
                && !request.items().isEmpty()
                && request.items().stream()
                        .allMatch(item -> item.settlement() instanceof Settlement.Done && !item.fansOut());
    }

    // An UPDATE reports how many rows it changed, and not which. If some claims were lost, it is undone, and the caller
    // locks the rows and reads them first.
    private boolean isSettledAtOnce(Dialect dialect, SettleRequest request) {
        List<ClaimedUpdate.Row> rows = request.items().stream()
                .map(item -> new ClaimedUpdate.Row(item.settlement().claim(), 0, ""))
                .toList();
        return JdbcTransaction.run(connections, table.answerMax(), conn -> {
            ClaimedUpdate done = new ClaimedUpdate(SettleTransaction.done(dialect), rows);
            boolean all = done.execute(conn, dialect, table.names().event(), "settle events") == rows.size();
            if (!all) {
                rollBack(conn);
            }
            return all;
        });
    }

    private static void rollBack(Connection conn) {
        try {
            conn.rollback();
        } catch (SQLException e) {
            throw SqlFailure.of("undo a settlement", e);
        }
    }
}
