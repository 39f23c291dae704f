package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.DispatcherClosedException;
import outbox.EventEnvelope;
import outbox.OutboxConfig;
import outbox.PoolTooSmallException;
import outbox.internal.ClaimKeeper;
import outbox.internal.HeldClaim;
import outbox.internal.SafeMetrics;
import outbox.internal.SettleRule;
import outbox.internal.Ulids;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;
import outbox.registry.ListenerCaller;
import outbox.registry.ListenerRegistry;
import outbox.spi.ClaimStore;
import outbox.spi.ClaimingEventStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.HotPath;
import outbox.spi.MetricsExporter;
import outbox.spi.PlainClaimStore;
import outbox.spi.SettleStore;
import outbox.spi.TimeSource;

/**
 * Delivers claimed events to their listeners on worker threads, and settles the outcomes.
 *
 * <p>A row is claimed by its INSERT (hot, with this instance's own token) or by the poller (cold, with one token per
 * poll). The claim is renewed while the event waits or is delivered. A delivery begins only under a claim that is safe
 * by this instance's monotonic clock or was just confirmed by the store. Every settlement names its token, so that a
 * late one changes nothing.
 *
 * <pre>
 *  publisher ──commit──► hot ─┐                       ┌─► settler ──batch──► store
 *                             ├─► worker ─► listeners ┤
 *  poller ───claim────► cold ─┘                       └─ claim lost: dropped, another instance has it
 * </pre>
 */
public final class OutboxDispatcher implements HotPath, AutoCloseable {

    private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());
    private static final Duration IDLE_WAIT = Duration.ofMillis(100);
    /** For the settler, and for threads that renew or claim: listeners must not be able to take all connections. */
    private static final int OWN_CONNECTIONS = 2;

    private final SafeMetrics metrics;
    private final TimeSource time;
    private final EventQueues queues;
    private final ClaimKeeper keeper;
    private final SettlementWriter settler;
    private final Worker worker;
    private final ClaimTerms hotTerms;
    private final QueueFullLog queueFullLog;

    private final DispatcherThreads threads;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean roomWanted = new AtomicBoolean();

    /** Set by the closing thread when the drain deadline has passed; read by workers. */
    private volatile boolean deadlinePassed;
    /** The last suspect that was accepted; it may be settled by now. Written and read by the poller. */
    private volatile @Nullable HeldClaim suspect;
    /** Set by the poller when it starts; read by every thread that settles or commits an event. */
    private volatile Waker waker = delay -> {};

    /** The ports of a store. A store without claims gets them with the clock of its dispatcher. */
    private record Ports(ClaimStore claims, SettleStore settlements) {}

    public OutboxDispatcher(
            ConnectionProvider connectionProvider,
            EventStore eventStore,
            ListenerRegistry listenerRegistry,
            InFlightTracker inFlightTracker,
            RetryPolicy retryPolicy,
            int maxAttempts,
            int workerCount,
            int hotQueueCapacity,
            int coldQueueCapacity,
            MetricsExporter metrics) {
        this(
                builder(connectionProvider, eventStore)
                        .listeners(listenerRegistry)
                        .inFlightTracker(inFlightTracker)
                        .retryPolicy(retryPolicy)
                        .metrics(metrics)
                        .config(new OutboxConfig()
                                .setRetryMaxAttempts(maxAttempts)
                                .setDispatcherWorkers(workerCount)
                                .setHotQueueCapacity(hotQueueCapacity)
                                .setColdQueueCapacity(coldQueueCapacity)),
                true);
    }

    private OutboxDispatcher(Builder builder, boolean startThreads) {
        OutboxConfig config = builder.config;
        Ports ports = builder.ports.apply(builder.time);
        ClaimStore claims = ports.claims();
        this.time = builder.time;
        this.metrics = new SafeMetrics(builder.metrics);
        this.queues = new EventQueues(config.hotQueueCapacity(), config.coldQueueCapacity(), config.queueBytesMax());
        this.keeper = new ClaimKeeper(claims, config.claimLease(), time);
        Waker pollerWaker = delay -> waker.wakeAfter(delay);
        SettlementEffects effects = new SettlementEffects(builder.inFlightTracker, keeper, metrics, pollerWaker);
        this.hotTerms = new ClaimTerms(Ulids.SYSTEM.next(), config.claimLease());
        this.settler = new SettlementWriter(
                new SettlementWriter.Target(ports.settlements(), claims, "dispatcher-" + hotTerms.token()),
                builder.settleRule(),
                effects,
                new StoreClock(claims::now, time));
        this.worker = new Worker(
                builder.inFlightTracker, keeper, new ListenerCaller(builder.listeners), settler, () -> deadlinePassed);
        this.queueFullLog = new QueueFullLog(time);
        this.threads = new DispatcherThreads(config, this::workerIteration, settler, keeper, time);

        claims.connectionsMax().ifPresent(connections -> {
            if (connections < config.dispatcherWorkers() + OWN_CONNECTIONS) {
                throw new PoolTooSmallException(connections, config.dispatcherWorkers(), OWN_CONNECTIONS);
            }
        });
        claims.open();
        if (startThreads) {
            threads.start();
        }
    }

    public static Builder builder(ClaimStore claims, SettleStore settlements) {
        return new Builder(time -> new Ports(claims, settlements));
    }

    public static Builder builder(ConnectionProvider connectionProvider, EventStore eventStore) {
        if (eventStore instanceof ClaimingEventStore claiming) {
            return builder(claiming.claims(connectionProvider), claiming.settlements(connectionProvider));
        }
        return new Builder(time -> {
            PlainClaimStore plain = new PlainClaimStore(connectionProvider, eventStore, time);
            return new Ports(plain, plain);
        });
    }

    // ---- taking events -----------------------------------------------------------------------------------------

    /** Takes an event that was just committed. Returns false when the queue is full; the event waits in the store. */
    public boolean enqueueHot(QueuedEvent event) {
        requireOpen("enqueue event " + event.eventId());
        if (accept(event)) {
            metrics.report(MetricsExporter::incrementHotEnqueued);
            return true;
        }
        dropped(event.eventId());
        return false;
    }

    /** Takes an event from the store. Returns false when the queue is full; the event waits in the store. */
    public boolean enqueueCold(QueuedEvent event) {
        requireOpen("enqueue event " + event.eventId());
        if (accept(event)) {
            metrics.report(MetricsExporter::incrementColdEnqueued);
            return true;
        }
        return false;
    }

    private boolean accept(QueuedEvent event) {
        HeldClaim held = event.held();
        if (held != null && !keeper.hold(held)) {
            return true; // It is queued already.
        }
        if (event.isSuspect()) {
            suspect = held;
        }
        if (queues.offer(event)) {
            recordDepths();
            return true;
        }
        if (held != null) {
            release(held);
        }
        return false;
    }

    private void recordDepths() {
        metrics.report(m -> m.recordQueueDepths(queues.hotDepth(), queues.coldDepth()));
    }

    public boolean hasColdQueueCapacity() {
        return coldRoom() > 0;
    }

    /** How many events the cold queue can take now; zero when the payload bytes in memory are at their limit. */
    public int coldRoom() {
        return queues.bytesRoom() == 0 ? 0 : queues.coldRoom();
    }

    /** Whether this process has a suspect, see {@link outbox.spi.ClaimRequest#suspects}. It must not claim another. */
    public boolean hasSuspect() {
        HeldClaim last = suspect;
        return last != null && keeper.holds(last);
    }

    /** How many more payload bytes the queues can take now. */
    public long bytesRoom() {
        return queues.bytesRoom();
    }

    public Duration lease() {
        return hotTerms.lease();
    }

    public boolean isClosed() {
        return closing.get();
    }

    /** Sets what is woken when a poll would find events. The poller calls this when it starts. */
    public void onWake(Waker waker) {
        this.waker = waker;
    }

    /**
     * Hands over the event itself, which its INSERT claims. While the hot queue is nearly full, events are stored
     * unclaimed for the poller, because releasing a claim costs a write.
     */
    @Override
    public Handover prepare() {
        boolean leavesToPoller = !keeper.isPlain() && queues.isHotNearlyFull();
        boolean handsOver = !isClosed() && !leavesToPoller;
        return new HotHandover(this, handsOver ? hotTerms : null, time.nanoTime());
    }

    /** Wakes the poller for an event that was committed without a claim. */
    void leaveToPoller(EventEnvelope event) {
        requireOpen("take event " + event.eventId());
        dropped(event.eventId());
        waker.wakeAfter(Duration.ZERO);
    }

    private void dropped(String eventId) {
        metrics.report(MetricsExporter::incrementHotDropped);
        queueFullLog.dropped(eventId);
    }

    /** Wakes the poller when a delayed event comes due. */
    void wakeAt(Instant due) {
        Duration delay = Duration.between(time.instant(), due);
        waker.wakeAfter(delay.isNegative() ? Duration.ZERO : delay);
    }

    // ---- one event ---------------------------------------------------------------------------------------------

    /** Delivers one queued event; false when there is none. Tests call it; workers repeat it. */
    boolean runOnce() throws InterruptedException {
        QueuedEvent event = queues.poll();
        if (event != null) {
            process(event);
        }
        return event != null;
    }

    private boolean workerIteration() throws InterruptedException {
        QueuedEvent event = queues.take(IDLE_WAIT);
        if (event == null) {
            return !closing.get();
        }
        process(event);
        return !deadlinePassed;
    }

    private void process(QueuedEvent event) throws InterruptedException {
        recordDepths();
        wakeIfThereIsRoom();
        worker.process(event);
    }

    private void release(HeldClaim held) {
        keeper.drop(held);
        settler.releaseLater(held.claim());
    }

    /** Wakes the poller when half of the queue is free. A poller that found the queue full calls this. */
    public void wakeWhenThereIsRoom() {
        roomWanted.set(true);
        wakeIfThereIsRoom();
    }

    private void wakeIfThereIsRoom() {
        if (roomWanted.get() && queues.isHalfFree() && roomWanted.compareAndSet(true, false)) {
            waker.wakeAfter(Duration.ZERO);
        }
    }

    // ---- loops and close ---------------------------------------------------------------------------------------

    /** Settles finished events. Tests call it; the settler's loop repeats it. */
    void settleOnce() {
        settler.runOnce();
    }

    /** Renews claims that are due. Tests call it; the keeper's loop repeats it. */
    void renewOnce() {
        keeper.runOnce();
    }

    /** Settles an event that the poller could not decode. */
    public void settleUndecodable(Settlement.Dead dead, int attempts) {
        settler.settleUndecodable(dead, attempts);
    }

    /** Reports that the poller could not read the store and will try again. */
    public void pollFailed(Throwable failure) {
        threads.failed(failure);
    }

    /** Reports that the store has answered the poller. */
    public void polled() {
        threads.storeAnswered();
    }

    /** The names of its threads that have ended although it is open. Only a new process repairs that. Any thread. */
    public List<String> endedLoops() {
        return isClosed() ? List.of() : threads.ended();
    }

    private void requireOpen(String attempted) {
        if (closing.get()) {
            throw new DispatcherClosedException(attempted);
        }
    }

    /**
     * Takes no more events, delivers queued ones until the drain deadline, interrupts the listeners that still run, and
     * releases the claims of events that were not delivered. Returns a few seconds after the deadline at the latest,
     * whatever listeners and the store do.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        threads.joinWorkers();
        deadlinePassed = true;
        threads.endWorkers();
        queues.drain().forEach(event -> {
            if (event.held() != null) {
                release(event.held());
            }
        });
        threads.endSettlerAndKeeper();
        int left = keeper.dropAll();
        if (left > 0) {
            LOG.log(Level.WARNING, "closed with {0} event(s) that were not settled; their claims expire", left);
        }
    }

    /** Builds a dispatcher. Everything but the stores and the listeners has a default. */
    public static final class Builder {

        private final Function<TimeSource, Ports> ports;
        private OutboxConfig config = new OutboxConfig();
        private ListenerRegistry listeners = eventType -> List.of();
        private InFlightTracker inFlightTracker = new DefaultInFlightTracker();
        private @Nullable RetryPolicy retryPolicy;
        private MetricsExporter metrics = MetricsExporter.NOOP;
        private TimeSource time = TimeSource.SYSTEM;

        private Builder(Function<TimeSource, Ports> ports) {
            this.ports = ports;
        }

        public Builder config(OutboxConfig config) {
            this.config = config;
            return this;
        }

        public Builder listeners(ListenerRegistry listeners) {
            this.listeners = listeners;
            return this;
        }

        public Builder inFlightTracker(InFlightTracker inFlightTracker) {
            this.inFlightTracker = inFlightTracker;
            return this;
        }

        /** Default: exponential backoff with the configured delays. */
        public Builder retryPolicy(RetryPolicy retryPolicy) {
            this.retryPolicy = retryPolicy;
            return this;
        }

        public Builder metrics(MetricsExporter metrics) {
            this.metrics = metrics;
            return this;
        }

        public Builder time(TimeSource time) {
            this.time = time;
            return this;
        }

        private SettleRule settleRule() {
            if (config.retryMaxDelayMs() < config.retryBaseDelayMs()) {
                throw new IllegalArgumentException("retryMaxDelayMs must be at least retryBaseDelayMs ("
                        + config.retryBaseDelayMs() + "), was " + config.retryMaxDelayMs());
            }
            RetryPolicy policy = retryPolicy == null
                    ? new ExponentialBackoffRetryPolicy(config.retryBaseDelayMs(), config.retryMaxDelayMs())
                    : retryPolicy;
            return new SettleRule(
                    policy, config.retryMaxAttempts(), config.giveUpAfter().orElse(null), config.deathsMax());
        }

        /** Starts the dispatcher. Fails when the store does not fit it. */
        public OutboxDispatcher build() {
            return new OutboxDispatcher(this, true);
        }

        /** A dispatcher whose iterations the caller runs. */
        OutboxDispatcher buildWithoutThreads() {
            return new OutboxDispatcher(this, false);
        }
    }
}
