package catbox.bench.own;

import catbox.bench.HandWrittenLoop.Row;
import catbox.bench.HandWrittenLoop.Settling;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.LongRunning;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.spi.SettleRequest.DoneRows;

/**
 * Waits for NOTIFY, which the business transaction sends, then reads, sends, waits and settles until nothing remains.
 */
final class NotifyLoop implements Loop {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final int BATCH = 1_000;

    private final OutboxTable table;
    private final KafkaSender sender;
    private final DoneRows doneRows;
    private @Nullable PostgresWakeUpChannel channel;
    private @Nullable Connection conn;
    private @Nullable LongRunning running;

    NotifyLoop(OutboxTable table, KafkaSender sender, DoneRows doneRows) {
        this.table = table;
        this.sender = sender;
        this.doneRows = doneRows;
    }

    @Override
    public String settings() {
        return "by hand: NOTIFY within the business transaction, SELECT of " + BATCH + " pending, send, wait, one "
                + (doneRows == DoneRows.KEEP ? "UPDATE" : "DELETE") + "; linger 0, polls every " + POLL.toMillis()
                + " ms anyway";
    }

    @Override
    public void appended(EventPlan plan) {}

    @Override
    public void start(Progress progress) throws SQLException {
        Connection own = table.dataSource().getConnection();
        PreparedStatement reading = own.prepareStatement("SELECT event_id, ordering_key, payload FROM outbox_event"
                + " WHERE status IN (0, 2) ORDER BY available_at, seq LIMIT " + BATCH);
        Settling settling = new Settling(own, doneRows);
        PostgresWakeUpChannel listening =
                new PostgresWakeUpChannel(new DataSourceConnectionProvider(table.dataSource()));
        conn = own;
        channel = listening;
        progress.began();
        running = new LongRunning("notify-loop", () -> {
            listening.receive(POLL);
            for (List<Row> batch = read(reading); !batch.isEmpty(); batch = read(reading)) {
                WaitingLoop.sendAll(sender, batch);
                settling.settle(batch);
                progress.settled(batch.size());
            }
        });
    }

    private static List<Row> read(PreparedStatement reading) throws SQLException {
        List<Row> batch = new ArrayList<>();
        try (ResultSet rows = reading.executeQuery()) {
            while (rows.next()) {
                batch.add(new Row(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
        }
        return batch;
    }

    @Override
    public void stop() throws SQLException {
        Objects.requireNonNull(running, "not started").close();
        Objects.requireNonNull(channel).close();
        Objects.requireNonNull(conn).close();
    }

    @Override
    public void inside(Connection business, Event event) throws SQLException {
        table.insert(business, event);
        try (Statement notify = business.createStatement()) {
            notify.execute("NOTIFY catbox_outbox_event");
        }
    }

    @Override
    public void committed(Event event) {}

    @Override
    public void close() {
        sender.close();
    }
}
