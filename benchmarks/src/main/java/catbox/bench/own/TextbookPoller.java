package catbox.bench.own;

import catbox.bench.contender.Business;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.LongRunning;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The poller of tutorials: it reads some rows with SKIP LOCKED, waits for one send per row, and runs one UPDATE per
 * row.
 */
final class TextbookPoller implements Loop {

    private static final int BATCH = 100;

    private final OutboxTable table;
    private final KafkaSender sender;
    private final long pauseMillis;
    private @Nullable LongRunning running;

    private record Pending(String id, String key, String payload) {}

    /**
     * @param pauseMillis after each batch; with zero only an empty batch is followed by a pause, of 10 ms
     */
    TextbookPoller(OutboxTable table, KafkaSender sender, long pauseMillis) {
        this.table = table;
        this.sender = sender;
        this.pauseMillis = pauseMillis;
    }

    @Override
    public String settings() {
        return "by hand: SELECT of " + BATCH + " with FOR UPDATE SKIP LOCKED, for each a send that is waited for and an"
                + " UPDATE, one commit; " + (pauseMillis > 0 ? "pause of " + pauseMillis + " ms" : "no pause")
                + " between batches; linger 0";
    }

    @Override
    public void appended(EventPlan plan) {}

    @Override
    public void start(Progress progress) {
        running = new LongRunning("textbook-poller", () -> {
            int done = batch(progress);
            progress.settled(done);
            long pause = pauseMillis == 0 && done == 0 ? 10 : pauseMillis;
            TimeUnit.MILLISECONDS.sleep(pause);
        });
    }

    private int batch(Progress progress) throws SQLException {
        List<Pending> batch = new ArrayList<>();
        Business.transaction(table.dataSource(), conn -> {
            try (PreparedStatement select = conn.prepareStatement("SELECT event_id, ordering_key, payload"
                            + " FROM outbox_event WHERE status IN (0, 2) ORDER BY available_at, seq LIMIT " + BATCH
                            + " FOR UPDATE SKIP LOCKED");
                    PreparedStatement update = conn.prepareStatement(
                            "UPDATE outbox_event SET status = 1, done_at = now() WHERE event_id = ?")) {
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        batch.add(new Pending(rows.getString(1), rows.getString(2), rows.getString(3)));
                    }
                }
                if (!batch.isEmpty()) {
                    progress.began();
                }
                for (Pending pending : batch) {
                    sender.sendAndWait(pending.key(), pending.payload());
                    update.setString(1, pending.id());
                    update.executeUpdate();
                }
            }
        });
        return batch.size();
    }

    @Override
    public void stop() {
        Objects.requireNonNull(running, "not started").close();
    }

    @Override
    public void inside(Connection conn, Event event) throws SQLException {
        table.insert(conn, event);
    }

    @Override
    public void committed(Event event) {}

    @Override
    public void close() {
        sender.close();
    }
}
