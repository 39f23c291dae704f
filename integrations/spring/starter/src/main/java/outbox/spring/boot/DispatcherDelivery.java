package outbox.spring.boot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.Outbox;
import outbox.OutboxConfig;
import outbox.dispatch.RetryPolicy;
import outbox.retention.RetentionConfig;
import outbox.retention.RetentionPurger;
import outbox.spi.HotPath;
import outbox.spi.MetricsExporter;
import outbox.spi.PublishStore;

/** Delivers through the dispatcher, to {@link OutboxListener} methods and along the routes. */
final class DispatcherDelivery implements EventDelivery {

    private static final Logger LOG = System.getLogger(DispatcherDelivery.class.getName());

    private final OutboxStore store;
    private final PublishStore publishStore;
    private final Plan plan;
    private final ConfiguredRoutes configured;
    private final ListenerMethods methods;

    /** Written by the thread that starts and stops the application, read by any. */
    private volatile @Nullable Running running;

    /**
     * Configures the dispatcher.
     *
     * @param retention when old done events are removed; empty: never
     * @param retryPolicy the application's own; empty: as configured
     */
    record Plan(
            OutboxConfig config,
            Optional<RetentionConfig> retention,
            Optional<RetryPolicy> retryPolicy,
            MetricsExporter metrics,
            DeliveryObserver observer) {}

    private record Running(
            Outbox outbox,
            @Nullable RoutedDestinations routed,
            @Nullable RetentionPurger purger) {}

    DispatcherDelivery(
            OutboxStore store,
            PublishStore publishStore,
            Plan plan,
            ConfiguredRoutes configured,
            ListenerMethods methods) {
        this.store = store;
        this.publishStore = publishStore;
        this.plan = plan;
        this.configured = configured;
        this.methods = methods;
    }

    @Override
    public HotPath start() {
        Outbox.Builder builder = Outbox.builder(publishStore, store.claims(), store.settlements())
                .config(plan.config())
                .metrics(plan.metrics());
        plan.retryPolicy().ifPresent(builder::retryPolicy);
        for (ListenerMethod method : methods.all()) {
            method.eventTypes().forEach(type -> builder.on(type, plan.observer().around(method)));
        }
        RoutedDestinations routed = configured.routes() == null
                ? null
                : new RoutedDestinations(configured, plan.observer(), methods::receives);
        if (routed != null) {
            builder.onAll(routed);
        }
        if (methods.all().isEmpty() && routed == null) {
            LOG.log(
                    Level.WARNING,
                    "there is neither an @OutboxListener nor a destination, so every event will fail; if another process"
                            + " delivers, set outbox.delivery=none");
        }
        Outbox outbox = started(builder, routed);
        running = new Running(outbox, routed, purger());
        return outbox.dispatcher();
    }

    private static Outbox started(Outbox.Builder builder, @Nullable RoutedDestinations routed) {
        try {
            return builder.build();
        } catch (RuntimeException e) {
            if (routed != null) {
                routed.close();
            }
            throw e;
        }
    }

    private @Nullable RetentionPurger purger() {
        if (plan.retention().isEmpty()) {
            return null;
        }
        RetentionPurger purger =
                new RetentionPurger(store.retentionStore(), plan.retention().get());
        purger.start();
        return purger;
    }

    @Override
    public void stop() {
        Running was = running;
        running = null;
        if (was == null) {
            return;
        }
        if (was.purger() != null) {
            was.purger().close();
        }
        was.outbox().close();
        if (was.routed() != null) {
            was.routed().close();
        }
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("workers", plan.config().dispatcherWorkers());
        details.put("listeners", methods.described());
        return details;
    }

    @Override
    public @Nullable String problem() {
        Running now = running;
        if (now == null || now.outbox().dispatcher().isClosed()) {
            return "the dispatcher is not running";
        }
        List<String> ended = new ArrayList<>(now.outbox().endedLoops());
        if (now.purger() != null) {
            ended.addAll(now.purger().endedLoops());
        }
        return EventDelivery.problemOf(ended);
    }
}
