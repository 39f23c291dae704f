package catbox.bench.own;

import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Progress;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** Kafka's share alone: sends what no database holds. */
record KafkaLoop(KafkaSender sender) implements DrainOnce.Way {

    private static final int UNDER_WAY = 8_000;

    @Override
    public String settings() {
        return "by hand, Kafka only: up to " + UNDER_WAY + " sends under way, no database; linger 5, batch.size 128k";
    }

    @Override
    public void drain(EventPlan plan, Progress progress) throws Exception {
        Semaphore underWay = new Semaphore(UNDER_WAY);
        AtomicReference<Exception> failure = new AtomicReference<>();
        for (int place = 0; place < plan.events(); place++) {
            underWay.acquire();
            Event event = plan.at(place);
            var unused = sender.send(event.key(), event.payload(), (metadata, e) -> {
                if (e != null) {
                    failure.set(e);
                } else {
                    progress.settled(1);
                }
                underWay.release();
            });
        }
        underWay.acquire(UNDER_WAY);
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
