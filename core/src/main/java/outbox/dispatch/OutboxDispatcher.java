package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * Delivers claimed events to their listeners on worker threads, and settles what became of them.
 *
 * <p>How an event is held: a row is claimed from its INSERT on (hot, by this instance's own token) or by the poller
 * (cold, by a token per look). The claim is renewed while the event waits or is delivered; a delivery begins only
 * under a claim that is safe by this instance's monotonic clock or was just confirmed by the store; and every
 * settlement names its token, so that one that comes late changes nothing.
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
    /** For the settler and for whoever renews or claims: listeners must not be able to take them all. */
    private static final int CONNECTIONS_OF_OUR_OWN = 2;

    private final DispatcherSettings settings;
    private final SafeMetrics metrics;
    private final TimeSource time;
    private final EventQueues queues;
    private final ClaimKeeper keeper;
    private final SettlementWriter settler;
    private final Worker worker;
    private final ClaimTerms hotTerms;
    private final QueueFullLog dropLog;

    private final DispatcherThreads threads;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean roomWanted = new AtomicBoolean();

    /** Set by the closing thread when the drain deadline has passed; read by workers. */
    private volatile boolean deadlinePassed;
    /** The last suspect that came, which may be gone. Written and read by the poller. */
    private volatile @Nullable HeldClaim suspect;
    /** Set by the poller when it starts; read by every thread that finishes or commits something. */
    private volatile Waker waker = delay -> {};

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
        ClaimStore claims = builder.claims;
        this.settings = DispatcherSettings.of(config);
        this.time = builder.time;
        this.metrics = new SafeMetrics(builder.metrics);
        this.queues = new EventQueues(settings.hotCapacity(), settings.coldCapacity(), settings.queueBytesMax());
        this.keeper = new ClaimKeeper(claims, settings.lease(), time);
        Waker toThePoller = delay -> waker.wakeAfter(delay);
        SettlementEffects aftermath = new SettlementEffects(builder.inFlightTracker, keeper, metrics, toThePoller);
        this.hotTerms = new ClaimTerms(Ulids.SYSTEM.next(), settings.lease());
        this.settler = new SettlementWriter(
                new SettlementWriter.Target(builder.settlements, claims, "dispatcher-" + hotTerms.token()),
                builder.settleRule(),
                aftermath,
                new StoreClock(claims::now, time));
        this.worker = new Worker(
                builder.inFlightTracker, keeper, new ListenerCaller(builder.listeners), settler, () -> deadlinePassed);
        this.dropLog = new QueueFullLog(time);
        this.threads = new DispatcherThreads(settings, this::workerIteration, settler, keeper, time);

        claims.connectionsMax().ifPresent(connections -> {
            if (connections < settings.workers() + CONNECTIONS_OF_OUR_OWN) {
                throw new PoolTooSmallException(connections, settings.workers(), CONNECTIONS_OF_OUR_OWN);
            }
        });
        claims.open();
        if (startThreads) {
            threads.start();
        }
    }

    public static Builder builder(ClaimStore claims, SettleStore settlements) {
        return new Builder(claims, settlements);
    }

    public static Builder builder(ConnectionProvider connectionProvider, EventStore eventStore) {
        if (eventStore instanceof ClaimingEventStore claiming) {
            return new Builder(claiming.claims(connectionProvider), claiming.settlements(connectionProvider));
        }
        PlainClaimStore plain = new PlainClaimStore(connectionProvider, eventStore);
        return new Builder(plain, plain);
    }

    // ---- taking events -----------------------------------------------------------------------------------------

    /**
     * Takes an event that has just been committed. False when it was not taken because the queue is full. It then waits in
     * the store.
     */
    public boolean enqueueHot(QueuedEvent event) {
        requireOpen("enqueue event " + event.eventId());
        if (accept(event)) {
            metrics.report(MetricsExporter::incrementHotEnqueued);
            return true;
        }
        dropped(event.eventId());
        return false;
    }

    /** Takes an event from the store. False when it was not taken and waits in the store. */
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
            return true; // It is here already.
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

    /** How many events the cold queue can take now; zero also when the payload bytes in memory are at their limit. */
    public int coldRoom() {
        return queues.bytesRoom() == 0 ? 0 : queues.coldRoom();
    }

    /** Whether an event is here that may have ended other processes. Until it is settled, no other such event may come. */
    public boolean hasSuspect() {
        HeldClaim last = suspect;
        return last != null && keeper.holds(last);
    }

    /** How many more payload bytes the queues can take now. */
    public long bytesRoom() {
        return queues.bytesRoom();
    }

    public Duration lease() {
        return settings.lease();
    }

    public boolean isClosed() {
        return closing.get();
    }

    /** Whom to tell when a look into the store is worth while. The poller does this when it starts. */
    public void onWake(Waker waker) {
        this.waker = waker;
    }

    /**
     * The event itself is handed over, claimed from its INSERT on. While the hot queue is nearly full, events are stored
     * unclaimed for the poller, since giving a claim back costs a write.
     */
    @Override
    public Handover prepare() {
        boolean leavesToPoller = !keeper.isPlain() && queues.isHotNearlyFull();
        boolean handsOver = !isClosed() && !leavesToPoller;
        return new HotHandover(this, handsOver ? hotTerms : null, time.nanoTime());
    }

    /** An event that was committed without a claim. It waits in the store, and the poller finds it at once. */
    void leaveToPoller(EventEnvelope event) {
        requireOpen("take event " + event.eventId());
        dropped(event.eventId());
        waker.wakeAfter(Duration.ZERO);
    }

    private void dropped(String eventId) {
        metrics.report(MetricsExporter::incrementHotDropped);
        dropLog.dropped(eventId);
    }

    /** Has the poller look when a delayed event comes due. */
    void wakeAt(Instant due) {
        Duration delay = Duration.between(time.instant(), due);
        waker.wakeAfter(delay.isNegative() ? Duration.ZERO : delay);
    }

    // ---- one event ---------------------------------------------------------------------------------------------

    /** Delivers one queued event if there is one, and says whether there was. Tests call it; workers repeat it. */
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
        settler.releaseSoon(held.claim());
    }

    /** For the poller that found the queue full: it is woken once half of it is free, since its interval is a long wait. */
    public void wakeWhenThereIsRoom() {
        roomWanted.set(true);
        wakeIfThereIsRoom();
    }

    private void wakeIfThereIsRoom() {
        if (roomWanted.get()
                && queues.coldDepth() <= settings.coldCapacity() / 2
                && queues.bytesRoom() >= settings.queueBytesMax() / 2
                && roomWanted.compareAndSet(true, false)) {
            waker.wakeAfter(Duration.ZERO);
        }
    }

    // ---- loops and close ---------------------------------------------------------------------------------------

    /** Writes what has been finished. Tests call it; the settler's loop repeats it. */
    void settleOnce() {
        settler.runOnce();
    }

    /** Renews what is due. Tests call it; the keeper's loop repeats it. */
    void renewOnce() {
        keeper.runOnce();
    }

    /** For the poller: an event that cannot be decoded is dead. */
    public void settleUndecodable(Settlement.Dead dead, int attempts) {
        settler.settleUndecodable(dead, attempts);
    }

    /** For the poller: it could not read the store, and tries again. */
    public void pollFailed(Throwable failure) {
        threads.failed(failure);
    }

    /** For the poller: the store has answered. */
    public void polled() {
        threads.storeAnswered();
    }

    /**
     * The names of its threads that have ended although it is open: without them it does not do what it should, and only a
     * new process helps. Empty unless something is badly wrong. Any thread.
     */
    public List<String> endedLoops() {
        return isClosed() ? List.of() : threads.ended();
    }

    private void requireOpen(String attempted) {
        if (closing.get()) {
            throw new DispatcherClosedException(attempted);
        }
    }

    /**
     * Takes nothing more, goes on delivering what is queued until the drain deadline, then interrupts the listeners
     * that still run, and gives back what was not delivered. Returns within the deadline and a few seconds, whatever
     * listeners and the store do.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        threads.joinWorkers(settings.drainTimeout());
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

    /** Puts a dispatcher together. Everything but the stores and the listeners has a default. */
    public static final class Builder {

        private final ClaimStore claims;
        private final SettleStore settlements;
        private OutboxConfig config = new OutboxConfig();
        private ListenerRegistry listeners = eventType -> List.of();
        private InFlightTracker inFlightTracker = new DefaultInFlightTracker();
        private @Nullable RetryPolicy retryPolicy;
        private MetricsExporter metrics = MetricsExporter.NOOP;
        private TimeSource time = TimeSource.SYSTEM;

        private Builder(ClaimStore claims, SettleStore settlements) {
            this.claims = claims;
            this.settlements = settlements;
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
            RetryPolicy policy = retryPolicy == null
                    ? new ExponentialBackoffRetryPolicy(config.retryBaseDelayMs(), config.retryMaxDelayMs())
                    : retryPolicy;
            return new SettleRule(
                    policy, config.retryMaxAttempts(), config.giveUpAfter().orElse(null), config.deathsMax());
        }

        /** A running dispatcher. Fails when the store is not fit for it. */
        public OutboxDispatcher build() {
            return new OutboxDispatcher(this, true);
        }

        /** A dispatcher whose turns the caller takes by hand. */
        OutboxDispatcher buildWithoutThreads() {
            return new OutboxDispatcher(this, false);
        }
    }
}
