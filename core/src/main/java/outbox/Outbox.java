package outbox;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.InFlightTracker;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.RetryPolicy;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.ClaimStore;
import outbox.spi.MetricsExporter;
import outbox.spi.PublishStep;
import outbox.spi.PublishStore;
import outbox.spi.SettleStore;
import outbox.spi.TimeSource;

/** A whole outbox inside an application: client, dispatcher and poller, started together and closed together. */
public final class Outbox implements AutoCloseable {

    private final OutboxClient client;
    private final OutboxDispatcher dispatcher;
    private final @Nullable OutboxPoller poller;
    private final DefaultListenerRegistry listeners;

    private Outbox(Builder builder) {
        OutboxConfig config = builder.config;
        this.listeners = builder.listeners;
        this.dispatcher = builder.dispatcher
                .config(config)
                .listeners(builder.listeners)
                .metrics(builder.metrics)
                .build();
        this.client = new OutboxClient(builder.publishStore, dispatcher).with(builder.step);
        this.poller = config.pollerEnabled()
                ? new OutboxPoller(builder.claims, dispatcher, config, builder.metrics, TimeSource.SYSTEM)
                : null;
        if (poller != null) {
            poller.start();
        }
    }

    public static Builder builder(PublishStore publishStore, ClaimStore claims, SettleStore settlements) {
        return new Builder(publishStore, claims, settlements);
    }

    /** See {@link OutboxClient#publish}. */
    public String publish(EventEnvelope event) {
        return client.publish(event);
    }

    /** See {@link OutboxClient#publishAll}. */
    public List<String> publishAll(List<EventEnvelope> events) {
        return client.publishAll(events);
    }

    public OutboxClient client() {
        return client;
    }

    public OutboxDispatcher dispatcher() {
        return dispatcher;
    }

    /** Listeners may be added and removed while the outbox runs. */
    public DefaultListenerRegistry listeners() {
        return listeners;
    }

    /** Polls the store now, for example after a replay or after another program wrote to it. */
    public void wake() {
        if (poller != null) {
            poller.wake();
        }
    }

    /** The names of its threads that have ended although it is open. Normally empty. Any thread. */
    public List<String> endedLoops() {
        return Stream.of(dispatcher.endedLoops(), poller == null ? List.<String>of() : poller.endedLoops())
                .flatMap(List::stream)
                .toList();
    }

    /** Stops polling, delivers queued events until the drain deadline, and releases the claims of the rest. */
    @Override
    public void close() {
        if (poller != null) {
            poller.close();
        }
        dispatcher.close();
    }

    /** Collects what an outbox is made of. */
    public static final class Builder {

        private final PublishStore publishStore;
        private final ClaimStore claims;
        private final OutboxDispatcher.Builder dispatcher;
        private final DefaultListenerRegistry listeners = new DefaultListenerRegistry();
        private OutboxConfig config = new OutboxConfig();
        private MetricsExporter metrics = MetricsExporter.NOOP;
        private PublishStep step = event -> event;

        private Builder(PublishStore publishStore, ClaimStore claims, SettleStore settlements) {
            this.publishStore = publishStore;
            this.claims = claims;
            this.dispatcher = OutboxDispatcher.builder(claims, settlements);
        }

        public Builder config(OutboxConfig config) {
            this.config = config;
            return this;
        }

        public Builder metrics(MetricsExporter metrics) {
            this.metrics = metrics;
            return this;
        }

        /** A step that every event takes before it is stored. */
        public Builder publishStep(PublishStep publishStep) {
            this.step = publishStep;
            return this;
        }

        /** Default: exponential backoff with the configured delays. */
        public Builder retryPolicy(RetryPolicy retryPolicy) {
            dispatcher.retryPolicy(retryPolicy);
            return this;
        }

        public Builder inFlightTracker(InFlightTracker inFlightTracker) {
            dispatcher.inFlightTracker(inFlightTracker);
            return this;
        }

        public Builder on(EventType type, EventListener listener) {
            listeners.register(type, listener);
            return this;
        }

        public Builder on(String eventType, EventListener listener) {
            listeners.register(eventType, listener);
            return this;
        }

        public Builder onAll(EventListener listener) {
            listeners.registerAll(listener);
            return this;
        }

        /** Starts it. */
        public Outbox build() {
            return new Outbox(this);
        }
    }
}
