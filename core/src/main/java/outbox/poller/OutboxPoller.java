package outbox.poller;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.DispatcherClosedException;
import outbox.EventEnvelope;
import outbox.OutboxConfig;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.QueuedEvent;
import outbox.internal.ErrorText;
import outbox.internal.HeldClaim;
import outbox.internal.SafeMetrics;
import outbox.internal.SupervisedLoop;
import outbox.internal.Ulids;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.ClaimingEventStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;
import outbox.spi.PlainClaimStore;
import outbox.spi.TimeSource;

/**
 * Finds pending events that no hot path has: after a crash, an overflow, a retry or a delay. It polls at a fixed
 * interval, and earlier when the dispatcher knows that an event waits.
 */
public final class OutboxPoller implements AutoCloseable {

    private static final Logger LOG = System.getLogger(OutboxPoller.class.getName());
    private static final Duration SUSPECTS_EVERY = Duration.ofSeconds(1);

    private final ClaimStore store;
    /** Whether the store has no claims. Each poll then returns the same events until they are settled. */
    private final boolean plain;

    private final OutboxDispatcher dispatcher;
    private final Settings settings;
    private final SafeMetrics metrics;
    private final TimeSource time;
    private final PollSchedule schedule;
    private final SupervisedLoop loop;
    private final AtomicBoolean started = new AtomicBoolean();
    // Only the polling thread touches these.
    private boolean suspectsLikely = true;
    private long suspectsAskedNanos;

    private volatile boolean stopping; // written by the closing thread, read by the polling one

    /** The settings of a poll. */
    private record Settings(Duration skipRecent, int batchSize, Duration interval) {}

    public OutboxPoller(
            ConnectionProvider connectionProvider,
            EventStore eventStore,
            OutboxDispatcher dispatcher,
            Duration skipRecent,
            int batchSize,
            long intervalMs,
            MetricsExporter metrics) {
        this(
                eventStore instanceof ClaimingEventStore claiming
                        ? claiming.claims(connectionProvider)
                        : new PlainClaimStore(connectionProvider, eventStore),
                dispatcher,
                new OutboxConfig()
                        .setPollerSkipRecentMs(skipRecent.toMillis())
                        .setPollerBatchSize(batchSize)
                        .setPollerIntervalMs(intervalMs),
                metrics,
                TimeSource.SYSTEM);
    }

    public OutboxPoller(
            ClaimStore store,
            OutboxDispatcher dispatcher,
            OutboxConfig config,
            MetricsExporter metrics,
            TimeSource time) {
        this.store = store;
        this.dispatcher = dispatcher;
        // With claims, an unclaimed event is on no hot path, because the INSERT claims those that are.
        this.plain = store instanceof PlainClaimStore;
        Duration skipRecent = plain ? config.pollerSkipRecent() : Duration.ZERO;
        this.settings =
                new Settings(skipRecent, config.pollerBatchSize(), Duration.ofMillis(config.pollerIntervalMs()));
        this.metrics = new SafeMetrics(metrics);
        this.time = time;
        this.schedule = new PollSchedule(time);
        this.suspectsAskedNanos = time.nanoTime();
        this.loop = new SupervisedLoop("outbox-poller", this::iteration);
    }

    /** Polls now, then at the interval and when woken. */
    public void start() {
        if (dispatcher.isClosed()) {
            throw new DispatcherClosedException("start the poller");
        }
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("this poller was started before; create a new one");
        }
        dispatcher.onWake(this::wakeAfter);
        loop.start();
    }

    // A store without claims skips recent events, so the poll is repeated when the event is old enough.
    private void wakeAfter(Duration delay) {
        schedule.wakeAfter(delay);
        if (!settings.skipRecent().isZero()) {
            schedule.wakeAfter(delay.plus(settings.skipRecent()));
        }
    }

    /** The name of its thread if it has ended although this poller and its dispatcher are open. Any thread. */
    public List<String> endedLoops() {
        return dispatcher.isClosed() ? List.of() : SupervisedLoop.ended(Stream.of(loop));
    }

    private boolean iteration() throws InterruptedException {
        try {
            poll();
        } catch (DispatcherClosedException e) {
            return false;
        } catch (RuntimeException e) {
            dispatcher.pollFailed(e);
        }
        schedule.await(settings.interval());
        return !dispatcher.isClosed();
    }

    /** Polls now, for example after a replay or after another program wrote to the store. */
    public void wake() {
        schedule.wakeAfter(Duration.ZERO);
    }

    /** Claims events and hands them over until the store has no more or the cold queue has no room. */
    public void poll() {
        if (dispatcher.isClosed()) {
            throw new DispatcherClosedException("poll");
        }
        claimSuspect();
        boolean more = true;
        while (more && !stopping) {
            int room = Math.min(settings.batchSize(), dispatcher.coldRoom());
            if (room > 0) {
                long bytesMax = Math.max(1, dispatcher.bytesRoom());
                more = claim(new ClaimRequest(terms(), settings.skipRecent(), room, bytesMax));
            } else {
                more = false;
                dispatcher.wakeWhenThereIsRoom();
            }
        }
    }

    // An event that may have ended other processes is claimed alone. Such events are rare, so the poller does not
    // always ask.
    private void claimSuspect() {
        long now = time.nanoTime();
        boolean isTime = suspectsLikely || now - suspectsAskedNanos >= SUSPECTS_EVERY.toNanos();
        if (isTime && !plain && dispatcher.coldRoom() > 0 && !dispatcher.hasSuspect()) {
            suspectsAskedNanos = now;
            suspectsLikely = claim(ClaimRequest.oneSuspect(terms()));
        }
    }

    private ClaimTerms terms() {
        return new ClaimTerms(Ulids.SYSTEM.next(), dispatcher.lease());
    }

    /** Claims once; returns whether another claim is likely to find more. */
    private boolean claim(ClaimRequest request) {
        long since = time.nanoTime();
        ClaimTerms terms = request.terms();
        List<OutboxEvent> rows = store.claim(request);
        dispatcher.polled();
        LOG.log(Level.DEBUG, "claimed {0} event(s), room was for {1}", rows.size(), request.eventsMax());
        if (!request.suspects()) {
            recordLag(rows);
        }
        int handedOver = 0;
        long bytes = 0;
        boolean allTaken = true;
        try {
            for (OutboxEvent row : rows) {
                HeldClaim held = new HeldClaim(new Claim(row.eventId(), terms.token()), terms.lease(), since);
                EventEnvelope envelope = decode(row, held.claim());
                if (envelope != null) {
                    bytes += envelope.payloadSize();
                    // The dispatcher releases the claims of events that do not fit; a later poll finds them again.
                    allTaken &= dispatcher.enqueueCold(new QueuedEvent(
                            envelope, QueuedEvent.Source.COLD, row.attempts(), held, row.waitsSince(), row.deaths()));
                }
                handedOver++;
            }
        } finally {
            release(rows.subList(handedOver, rows.size()), terms);
        }
        // The remaining bytes might have been too few for the largest event.
        boolean cutShort = !rows.isEmpty() && request.bytesMax() - bytes < EventEnvelope.PAYLOAD_BYTES_MAX;
        if (!allTaken || cutShort) {
            dispatcher.wakeWhenThereIsRoom();
        }
        return rows.size() == request.eventsMax() && allTaken && !plain;
    }

    /** Releases events that the dispatcher did not take because it was closed. */
    private void release(List<OutboxEvent> rows, ClaimTerms terms) {
        if (!rows.isEmpty()) {
            store.release(rows.stream()
                    .map(row -> new Claim(row.eventId(), terms.token()))
                    .collect(Collectors.toSet()));
        }
    }

    private @Nullable EventEnvelope decode(OutboxEvent row, Claim claim) {
        try {
            return row.toEnvelope();
        } catch (IllegalArgumentException e) {
            String error = ErrorText.fit("cannot be decoded: " + e.getMessage());
            LOG.log(Level.ERROR, "event {0} ({1}) is dead: it {2}", row.eventId(), row.eventType(), error);
            dispatcher.settleUndecodable(new Settlement.Dead(claim, error), row.attempts());
            metrics.report(MetricsExporter::incrementDispatchDead);
            return null;
        }
    }

    private void recordLag(List<OutboxEvent> rows) {
        Instant now = time.instant();
        Instant oldest = rows.stream()
                .map(OutboxEvent::createdAt)
                .min(Comparator.naturalOrder())
                .orElse(now);
        metrics.report(m -> m.recordOldestLagMs(Math.max(0, saturatedMillis(Duration.between(oldest, now)))));
    }

    // Another program may have written any time, even one whose milliseconds do not fit a long.
    private static long saturatedMillis(Duration lag) {
        return lag.compareTo(Duration.ofMillis(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : lag.toMillis();
    }

    /** Stops polling. The dispatcher delivers or releases what was claimed. */
    @Override
    public void close() {
        if (!started.get()) {
            return;
        }
        stopping = true;
        dispatcher.onWake(delay -> {});
        loop.stop();
        schedule.wakeAfter(Duration.ZERO);
        loop.awaitEnd();
    }
}
