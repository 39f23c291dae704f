package outbox.relay.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.loop.DeliveryLoop;
import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.node.OwnedPartitions.Running;
import outbox.spi.TimeSource;
import outbox.spi.relay.WakeUp;
import outbox.spi.relay.WakeUpChannel;

/** Receives the wake-ups of commits, and fetches for the partitions that they name. */
public final class WakeUpHandler {

    private final Fetcher fetcher;
    private final OwnedPartitions running;
    private final TimeSource time;
    private final Pacing pacing;
    private volatile boolean commitsNotified; // written by the thread that listens

    WakeUpHandler(Fetcher fetcher, OwnedPartitions running, TimeSource time, Pacing pacing) {
        this.fetcher = fetcher;
        this.running = running;
        this.time = time;
        this.pacing = pacing;
    }

    /** Waits for wake-ups and fetches what is new; while events flow, rests and fetches without any. */
    public void listenOnce(WakeUpChannel from) throws InterruptedException {
        try {
            Duration rest = fetcher.untilPrefetch();
            List<WakeUp> notified = rest.isZero() ? from.receive(pacing.listen()) : receive(from, rest);
            commitsNotified(true);
            Runnable handOver = rest.isZero() ? prefetch(notified) : prefetchAll(notified);
            handOver.run();
        } catch (RuntimeException e) {
            commitsNotified(false);
            throw e;
        }
    }

    // Wake-ups are received during the rest, too, or they would fill the channel; but they do not shorten it.
    private List<WakeUp> receive(WakeUpChannel from, Duration rest) throws InterruptedException {
        List<WakeUp> notified = new ArrayList<>();
        long until = time.nanoTime() + rest.toNanos();
        // Channels wait for at least a millisecond, which is too long for less than half of one.
        Duration least = pacing.prefetchMin().dividedBy(2);
        for (Duration left = rest; left.compareTo(least) > 0; ) {
            notified.addAll(from.receive(left));
            left = Duration.ofNanos(until - time.nanoTime());
        }
        return notified;
    }

    /** Whether a channel notifies of commits elsewhere, so that peeks need not be frequent. */
    public boolean commitsNotified() {
        return commitsNotified;
    }

    public void commitsNotified(boolean notified) {
        commitsNotified = notified;
    }

    /** Fetches for the partitions of these lanes, if this node owns them. */
    public void wake(WakeUp wakeUp) {
        prefetch(List.of(wakeUp)).run();
    }

    /** The same in two steps, between which anything may happen: fetches, and returns what hands the pages to the loops. */
    public Runnable prefetch(List<WakeUp> wakeUps) {
        return fetcher.prefetch(notified(wakeUps), List.of());
    }

    /** As {@link #prefetch}, and for all other partitions that can be fetched for. */
    public Runnable prefetchAll(List<WakeUp> wakeUps) {
        return fetcher.prefetch(notified(wakeUps), running.loops());
    }

    private Set<DeliveryLoop> notified(List<WakeUp> wakeUps) {
        Set<DeliveryLoop> notified = new LinkedHashSet<>(wakeUps.contains(WakeUp.ANY) ? running.loops() : List.of());
        for (WakeUp wakeUp : wakeUps) {
            for (int lane : wakeUp.lanes()) {
                Running each = running.owning(lane);
                if (each != null) {
                    notified.add(each.loop());
                }
            }
        }
        return notified;
    }

    /** Wakes the partition of a lane; false when this node does not own it. Any thread. */
    public boolean wakeLane(int lane) {
        Running each = running.owning(lane);
        if (each != null) {
            each.loop().wake();
        }
        return each != null && each.loop().isWorking();
    }
}
