package catbox.bench.own;

import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Progress;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** Kafka's share alone: sends generated records without a database. */
record KafkaLoop(KafkaSender sender) implements DrainOnce.Drainer {

    private static final int IN_FLIGHT_MAX = 8_000;

    @Override
    public String settings() {
        return "by hand, Kafka only: up to " + IN_FLIGHT_MAX
                + " sends in flight, no database; linger 5, batch.size 128k";
    }

    @Override
    public void drain(EventPlan plan, Progress progress) throws Exception {
        Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
        AtomicReference<Exception> failure = new AtomicReference<>();
        for (int place = 0; place < plan.events(); place++) {
            inFlight.acquire();
            Event event = plan.at(place);
            var unused = sender.send(event.key(), event.payload(), (metadata, e) -> {
                if (e != null) {
                    failure.set(e);
                } else {
                    progress.settled(1);
                }
                inFlight.release();
            });
        }
        inFlight.acquire(IN_FLIGHT_MAX);
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
