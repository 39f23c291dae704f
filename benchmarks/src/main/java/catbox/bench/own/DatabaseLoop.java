package catbox.bench.own;

import catbox.bench.HandWrittenLoop;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import outbox.spi.SettleRequest.DoneRows;

/** The database's share alone: reads and settles, and delivers nothing. */
record DatabaseLoop(OutboxTable table, DoneRows doneRows) implements DrainOnce.Drainer {

    @Override
    public String settings() {
        return "by hand, database only: SELECT of 1,000 from where it has read to, one "
                + (doneRows == DoneRows.KEEP ? "UPDATE" : "DELETE") + "; nothing delivered";
    }

    @Override
    public void drain(EventPlan plan, Progress progress) throws Exception {
        try (Connection reading = table.dataSource().getConnection();
                Connection writing = table.dataSource().getConnection();
                HandWrittenLoop.Settling settling = new HandWrittenLoop.Settling(writing, doneRows)) {
            HandWrittenLoop.read(reading, batch -> {
                settling.settle(batch);
                progress.settled(batch.size());
            });
        }
    }

    @Override
    public void close() {}
}
