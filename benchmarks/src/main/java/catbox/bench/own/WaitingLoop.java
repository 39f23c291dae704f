package catbox.bench.own;

import catbox.bench.HandWrittenLoop;
import catbox.bench.HandWrittenLoop.Row;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Progress;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.RecordMetadata;
import outbox.spi.SettleRequest.DoneRows;

/** Reads a batch, sends it, waits for Kafka, settles it, and only then reads the next. */
record WaitingLoop(OutboxTable table, KafkaSender sender, DoneRows doneRows) implements DrainOnce.Drainer {

    @Override
    public String settings() {
        return "by hand: SELECT of 1,000 from where it has read to, send, flush, wait, one "
                + (doneRows == DoneRows.KEEP ? "UPDATE" : "DELETE") + ", then the next; batch.size 128k";
    }

    @Override
    public void drain(EventPlan plan, Progress progress) throws Exception {
        try (Connection reading = table.dataSource().getConnection();
                Connection writing = table.dataSource().getConnection();
                HandWrittenLoop.Settling settling = new HandWrittenLoop.Settling(writing, doneRows)) {
            HandWrittenLoop.read(reading, batch -> {
                sendAll(sender, batch);
                settling.settle(batch);
                progress.settled(batch.size());
            });
        }
    }

    static void sendAll(KafkaSender sender, List<Row> batch) throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>(batch.size());
        for (Row row : batch) {
            sent.add(sender.send(row.key(), row.payload(), (metadata, e) -> {}));
        }
        sender.flush();
        for (Future<RecordMetadata> each : sent) {
            if (each.state() != Future.State.SUCCESS) {
                throw new IllegalStateException("Kafka did not take an event", each.exceptionNow());
            }
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
