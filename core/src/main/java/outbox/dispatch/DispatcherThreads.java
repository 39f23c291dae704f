package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import outbox.internal.ClaimKeeper;
import outbox.internal.OutageLog;
import outbox.internal.SupervisedLoop;
import outbox.internal.SupervisedLoop.Body;
import outbox.spi.TimeSource;

/**
 * The threads of a dispatcher, and the order in which they end without losing anything: workers first, for as long
 * as the drain may take; then the settler, once nothing can be finished any more; the keeper last, because claims
 * are to be kept until then.
 */
final class DispatcherThreads {

    private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());
    private static final String DISPATCHER = "the dispatcher";
    /** What a close may take beyond the drain: for interrupted listeners to end, and for the last settlements. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** Longer than any thread rests after a failure. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private static final Duration SETTLER_WAIT = Duration.ofMillis(100);

    private final DispatcherSettings settings;
    private final SettlementWriter settler;
    private final ClaimKeeper keeper;
    private final TimeSource time;
    private final OutageLog outages;
    private final List<SupervisedLoop> workers;
    private final SupervisedLoop settlerLoop;
    private final SupervisedLoop keeperLoop;

    /** Set by the closing thread when no worker can finish anything any more; read by the settler's loop. */
    private volatile boolean workersEnded;
    /** Whether the closing thread was interrupted while it waited. Only that thread touches it. */
    private boolean interrupted;

    DispatcherThreads(
            DispatcherSettings settings,
            Body workerIteration,
            SettlementWriter settler,
            ClaimKeeper keeper,
            TimeSource time) {
        this.settings = settings;
        this.settler = settler;
        this.keeper = keeper;
        this.time = time;
        this.outages = new OutageLog(LOG, time, QUIET);
        this.workers = IntStream.rangeClosed(1, settings.workers())
                .mapToObj(n -> new SupervisedLoop("outbox-worker-" + n, workerIteration, this::failed))
                .toList();
        this.settlerLoop = new SupervisedLoop("outbox-settler", this::settlerIteration, this::failed);
        this.keeperLoop = new SupervisedLoop("outbox-claim-keeper", this::keeperIteration, this::failed);
    }

    /** A thread of the dispatcher, or its poller, failed. All work on the same store, so they share the lines of an outage. */
    void failed(Throwable failure) {
        outages.failed(DISPATCHER, failure);
    }

    /** The store has done what one of them asked for. */
    void storeAnswered() {
        outages.works(DISPATCHER);
    }

    private boolean settlerIteration() throws InterruptedException {
        boolean any = settler.await(SETTLER_WAIT);
        if (any && !workersEnded) {
            settlerLoop.rest(settings.settleLinger()); // More may be finished meanwhile, and share the transaction.
        }
        settler.runOnce();
        if (any) {
            storeAnswered();
        }
        return !(workersEnded && settler.isIdle());
    }

    // Twice as often as a claim is due for renewal, so that one failed turn does not lose it.
    private boolean keeperIteration() throws InterruptedException {
        keeper.runOnce();
        keeperLoop.rest(settings.lease().dividedBy(6));
        return true;
    }

    void start() {
        settlerLoop.start();
        keeperLoop.start();
        workers.forEach(SupervisedLoop::start);
    }

    /** The names of those that have ended unasked; workers end when the dispatcher is closed, too. */
    List<String> ended() {
        return SupervisedLoop.ended(Stream.concat(workers.stream(), Stream.of(settlerLoop, keeperLoop)));
    }

    /** Waits for the workers to end by themselves; false when time ran out first. */
    boolean joinWorkers(Duration atMost) {
        return join(workers, atMost);
    }

    /** Ends what still runs. Workers get a moment to react, and the settler another to write what they finished. */
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
            interrupted = true; // The closing thread is in a hurry: wait for nothing more.
            return false;
        }
    }
}
