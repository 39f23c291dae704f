package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import outbox.EventEnvelope;
import outbox.OutboxConfig;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.ClaimStore;
import outbox.spi.MetricsExporter;
import outbox.spi.SettleStore;
import outbox.spi.TimeSource;
import outbox.testkit.RecordingListener;
import outbox.testkit.World;

/** One application with its dispatcher and poller, whose iterations a test runs by hand. */
public final class Instance {

    /** Long enough that a test sees who renews and who does not. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    private final World world;
    private final OutboxDispatcher dispatcher;
    private final OutboxPoller poller;
    private final DefaultListenerRegistry listeners = new DefaultListenerRegistry();
    private final RecordingListener listener;
    private final List<Duration> wakeUps = new ArrayList<>();

    private Instance(Builder builder) {
        this.world = builder.world;
        this.listener = builder.listener;
        listeners.registerAll(listener);
        this.dispatcher = OutboxDispatcher.builder(builder.claims, builder.settlements)
                .config(builder.config)
                .listeners(listeners)
                .retryPolicy(attempts -> 1_000L * attempts)
                .metrics(builder.metrics)
                .time(builder.time)
                .buildWithoutThreads();
        this.poller = new OutboxPoller(builder.claims, dispatcher, builder.config, builder.metrics, builder.time);
        dispatcher.onWake(wakeUps::add);
    }

    public static Instance in(World world) {
        return builder(world).build();
    }

    public static Builder builder(World world) {
        return new Builder(world);
    }

    public OutboxDispatcher dispatcher() {
        return dispatcher;
    }

    public OutboxPoller poller() {
        return poller;
    }

    public DefaultListenerRegistry listeners() {
        return listeners;
    }

    /** Receives every event, after the listeners of its type. */
    public RecordingListener listener() {
        return listener;
    }

    /** What the dispatcher asked of the poller, in order. */
    public List<Duration> wakeUps() {
        return List.copyOf(wakeUps);
    }

    public EventEnvelope publish(EventEnvelope event) {
        return world.publish(dispatcher, event);
    }

    /** Queues an event that this instance has claimed, as the poller does. */
    public boolean enqueueCold(EventEnvelope event, int attempts) {
        return dispatcher.enqueueCold(new QueuedEvent(event, QueuedEvent.Source.COLD, attempts));
    }

    public void poll() {
        poller.poll();
    }

    /** Delivers one event; false when none is queued. */
    public boolean deliverOne() {
        try {
            return dispatcher.runOnce();
        } catch (InterruptedException e) {
            throw new AssertionError("a test is not interrupted", e);
        }
    }

    /** Delivers everything that is queued, and writes what became of it. */
    public void work() {
        boolean more = deliverOne();
        while (more) {
            more = deliverOne();
        }
        settle();
    }

    public void settle() {
        dispatcher.settleOnce();
    }

    public void renew() {
        dispatcher.renewOnce();
    }

    /** Puts an instance together. */
    public static final class Builder {

        private final World world;
        private ClaimStore claims;
        private SettleStore settlements;
        private OutboxConfig config =
                new OutboxConfig().setClaimLeaseMs(LEASE.toMillis()).setPollerSkipRecentMs(0);
        private MetricsExporter metrics = MetricsExporter.NOOP;
        private RecordingListener listener = new RecordingListener();
        private TimeSource time;

        private Builder(World world) {
            this.world = world;
            this.claims = world.store.claimStore();
            this.settlements = world.store.settleStore();
            this.time = world.time;
        }

        public <S extends ClaimStore & SettleStore> Builder store(S store) {
            this.claims = store;
            this.settlements = store;
            return this;
        }

        /** Changes the configuration, which begins with the defaults, a lease of 30 s and no recent events skipped. */
        public Builder with(Consumer<OutboxConfig> change) {
            change.accept(config);
            return this;
        }

        public Builder metrics(MetricsExporter metrics) {
            this.metrics = metrics;
            return this;
        }

        /** The clocks of this instance's machine; without it, those of the store's. */
        public Builder time(TimeSource time) {
            this.time = time;
            return this;
        }

        public Builder listener(RecordingListener listener) {
            this.listener = listener;
            return this;
        }

        public Instance build() {
            return new Instance(this);
        }
    }
}
