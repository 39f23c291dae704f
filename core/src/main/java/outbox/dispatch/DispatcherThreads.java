package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import outbox.OutboxConfig;
import outbox.internal.ClaimKeeper;
import outbox.internal.OutageLog;
import outbox.internal.SupervisedLoop;
import outbox.internal.SupervisedLoop.Body;
import outbox.spi.TimeSource;

/**
 * Starts the threads of a dispatcher and ends them in an order that loses nothing: first the workers, within the drain
 * timeout; then the settler, when no worker can finish another event; the keeper last, because claims are renewed until
 * then.
 */
final class DispatcherThreads {

    private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());
    private static final String DISPATCHER = "the dispatcher";
    /** Time after the drain timeout, for interrupted listeners to end and for the last settlements. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** Longer than any thread pauses after a failure. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private static final Duration SETTLER_WAIT = Duration.ofMillis(100);

    private final Duration drainTimeout;
    private final Duration settleLinger;
    private final Duration keeperInterval;
    private final SettlementWriter settler;
    private final ClaimKeeper keeper;
    private final TimeSource time;
    private final OutageLog outages;
    private final List<SupervisedLoop> workers;
    private final SupervisedLoop settlerLoop;
    private final SupervisedLoop keeperLoop;

    /** Set by the closing thread when no worker can finish another event; read by the settler's loop. */
    private volatile boolean workersEnded;
    /** Whether the closing thread was interrupted while it waited. Only that thread touches it. */
    private boolean interrupted;

    DispatcherThreads(
            OutboxConfig config, Body workerIteration, SettlementWriter settler, ClaimKeeper keeper, TimeSource time) {
        this.drainTimeout = config.drainTimeout();
        this.settleLinger = config.settleLinger();
        // Twice as often as a claim is due for renewal, so that one failed iteration does not lose it.
        this.keeperInterval = config.claimLease().dividedBy(6);
        this.settler = settler;
        this.keeper = keeper;
        this.time = time;
        this.outages = new OutageLog(LOG, time, QUIET);
        this.workers = IntStream.rangeClosed(1, config.dispatcherWorkers())
                .mapToObj(n -> new SupervisedLoop("outbox-worker-" + n, workerIteration, this::failed))
                .toList();
        this.settlerLoop = new SupervisedLoop("outbox-settler", this::settlerIteration, this::failed);
        this.keeperLoop = new SupervisedLoop("outbox-claim-keeper", this::keeperIteration, this::failed);
    }

    /** A thread of the dispatcher or its poller failed. All use the same store, so an outage is logged once. */
    void failed(Throwable failure) {
        outages.failed(DISPATCHER, failure);
    }

    /** The store has answered one of them. */
    void storeAnswered() {
        outages.works(DISPATCHER);
    }

    private boolean settlerIteration() throws InterruptedException {
        boolean any = settler.await(SETTLER_WAIT);
        if (any && !workersEnded) {
            settlerLoop.rest(settleLinger); // Events that finish meanwhile share the transaction.
        }
        settler.runOnce();
        if (any) {
            storeAnswered();
        }
        return !(workersEnded && settler.isIdle());
    }

    private boolean keeperIteration() throws InterruptedException {
        keeper.runOnce();
        keeperLoop.rest(keeperInterval);
        return true;
    }

    void start() {
        settlerLoop.start();
        keeperLoop.start();
        workers.forEach(SupervisedLoop::start);
    }

    /** The names of threads that have ended. Workers also end when the dispatcher is closed. */
    List<String> ended() {
        return SupervisedLoop.ended(Stream.concat(workers.stream(), Stream.of(settlerLoop, keeperLoop)));
    }

    /** Waits until the workers have delivered the queued events, at most for the drain timeout. */
    void joinWorkers() {
        join(workers, drainTimeout);
    }

    /** Interrupts the workers that still run and waits a moment for them. */
    void endWorkers() {
        workers.forEach(SupervisedLoop::interrupt);
        join(workers, GRACE);
    }

    void endSettlerAndKeeper() {
        workersEnded = true;
        if (!join(List.of(settlerLoop), GRACE)) {
            LOG.log(
                    Level.WARNING,
                    "the store did not take the last settlements in time; those events are delivered again");
            settlerLoop.interrupt();
        }
        keeperLoop.stop();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean join(List<SupervisedLoop> loops, Duration atMost) {
        long deadline = time.nanoTime() + atMost.toNanos();
        boolean all = true;
        for (SupervisedLoop loop : loops) {
            all &= join(loop, Duration.ofNanos(deadline - time.nanoTime()));
        }
        return all;
    }

    private boolean join(SupervisedLoop loop, Duration atMost) {
        try {
            return loop.join(interrupted ? Duration.ZERO : atMost);
        } catch (InterruptedException e) {
            interrupted = true; // Do not wait any longer.
            return false;
        }
    }
}
