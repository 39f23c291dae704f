package catbox.bench.own;

import catbox.bench.HandWrittenLoop;
import catbox.bench.HandWrittenLoop.Row;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import outbox.spi.SettleRequest.DoneRows;

/**
 * The fastest hand-written loop: reading, sending and settling overlap. It never retries or fences, and would lose rows
 * of transactions that commit late.
 */
record OverlappingLoop(OutboxTable table, KafkaSender sender, DoneRows doneRows) implements DrainOnce.Drainer {

    private static final int BATCHES_IN_FLIGHT = 8;
    private static final List<Row> END = List.of();

    @Override
    public String settings() {
        return "by hand: SELECT of 1,000 from where it has read to, up to " + BATCHES_IN_FLIGHT
                + " batches in flight, one " + (doneRows == DoneRows.KEEP ? "UPDATE" : "DELETE")
                + " per batch; linger 5, batch.size 128k";
    }

    @Override
    public void drain(EventPlan plan, Progress progress) throws Exception {
        BlockingQueue<List<Row>> acknowledged = new ArrayBlockingQueue<>(BATCHES_IN_FLIGHT + 1);
        Semaphore inFlight = new Semaphore(BATCHES_IN_FLIGHT);
        AtomicReference<Exception> failure = new AtomicReference<>();
        Thread settler = Thread.ofPlatform().start(() -> {
            try {
                settle(acknowledged, inFlight, progress);
            } catch (SQLException | InterruptedException e) {
                failure.set(e);
            }
        });
        try (Connection conn = table.dataSource().getConnection()) {
            HandWrittenLoop.read(conn, batch -> {
                inFlight.acquire();
                AtomicInteger open = new AtomicInteger(batch.size());
                for (Row row : batch) {
                    var unused = sender.send(row.key(), row.payload(), (metadata, e) -> {
                        if (e != null) {
                            failure.set(e);
                        }
                        if (open.decrementAndGet() == 0) {
                            acknowledged.add(batch);
                        }
                    });
                }
            });
        }
        inFlight.acquire(BATCHES_IN_FLIGHT);
        acknowledged.put(END);
        settler.join();
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private void settle(BlockingQueue<List<Row>> acknowledged, Semaphore inFlight, Progress progress)
            throws SQLException, InterruptedException {
        try (Connection conn = table.dataSource().getConnection();
                HandWrittenLoop.Settling settling = new HandWrittenLoop.Settling(conn, doneRows)) {
            for (List<Row> batch = acknowledged.take(); !batch.equals(END); batch = acknowledged.take()) {
                settling.settle(batch);
                progress.settled(batch.size());
                inFlight.release();
            }
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
