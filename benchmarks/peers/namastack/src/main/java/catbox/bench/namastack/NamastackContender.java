package catbox.bench.namastack;

import catbox.bench.contender.Business;
import catbox.bench.contender.Contender;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Host;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Libraries;
import catbox.bench.contender.LongRunning;
import catbox.bench.contender.Place;
import catbox.bench.contender.Progress;
import catbox.bench.spring.SpringBusiness;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Polls its table for keys with events, and calls a handler for each event, in order per key. */
public final class NamastackContender implements Contender {

    private static final int APPEND_BATCH = 1_000;
    private static final int PAUSE_MILLIS = 5;
    private static final Map<String, Object> SETTINGS = Map.of(
            "namastack.outbox.polling.batch-size",
            1_000,
            "namastack.outbox.polling.trigger",
            "fixed",
            "namastack.outbox.polling.fixed.interval",
            "1h",
            "namastack.outbox.processing.executor-core-pool-size",
            16,
            "namastack.outbox.processing.executor-max-pool-size",
            16,
            "namastack.outbox.processing.delete-completed-records",
            true,
            "namastack.outbox.instance.rebalance-interval",
            "1s",
            "logging.level.root",
            "warn");

    private final KafkaSender sender;
    private final SpringBusiness spring;
    private final Outbox outbox;
    private final OutboxProcessingScheduler scheduler;
    // Written by the thread that runs the benchmark's commands, read by those that handle events.
    private volatile @Nullable Progress progress;
    private @Nullable LongRunning polling;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {}

    private NamastackContender(Place place) throws SQLException {
        this.sender = new KafkaSender(place, 0);
        this.spring = new SpringBusiness(
                Application.class,
                Business.dataSource(place),
                SETTINGS,
                beans -> beans.registerBean(Delivering.class, () -> new Delivering(this)));
        this.outbox = spring.context().getBean(Outbox.class);
        this.scheduler = spring.context().getBean(OutboxProcessingScheduler.class);
    }

    public static void main(String[] args) {
        Host.run(args, NamastackContender::new);
    }

    /** Handles all events. */
    static final class Delivering implements OutboxTypedHandler<String> {
        private final NamastackContender contender;

        Delivering(NamastackContender contender) {
            this.contender = contender;
        }

        @Override
        public void handle(String payload, OutboxRecordMetadata metadata) {
            Progress current = Objects.requireNonNull(contender.progress);
            current.began();
            contender.sender.sendAndWait(metadata.getKey(), payload);
            current.settled(1);
        }
    }

    @Override
    public String settings() {
        return Libraries.jarOf(OutboxProcessingScheduler.class)
                + " with a handler of our own, waiting sends with linger"
                + " 0 (its Kafka module is not to be had); order per key; polled by hand with a pause of "
                + PAUSE_MILLIS + " ms; " + new TreeMap<>(SETTINGS);
    }

    @Override
    public void clear() throws SQLException {
        Business.execute(spring.dataSource(), "TRUNCATE outbox_record, orders");
    }

    @Override
    public void append(EventPlan plan) {
        for (int begin = 0; begin < plan.events(); begin += APPEND_BATCH) {
            int first = begin;
            spring.transaction(() -> {
                for (int i = first; i < Math.min(plan.events(), first + APPEND_BATCH); i++) {
                    Event event = plan.at(i);
                    outbox.schedule(event.payload(), event.key());
                }
            });
        }
    }

    @Override
    public void start(Progress current) {
        progress = current;
        // Its own timer has an interval of an hour, because it would not start again after a stop.
        polling = new LongRunning("poll", () -> {
            scheduler.process();
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        });
    }

    @Override
    public void stop() {
        Objects.requireNonNull(polling, "not started").close();
    }

    @Override
    public void business(long number) {
        spring.transaction(number, () -> {});
    }

    @Override
    public void publish(Event event) {
        spring.transaction(event.number(), () -> outbox.schedule(event.payload(), event.key()));
    }

    @Override
    public void close() {
        spring.close();
        sender.close();
    }
}
