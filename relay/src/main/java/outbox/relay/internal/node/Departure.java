package outbox.relay.internal.node;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClusterView;

/** How a node leaves: it works on until the others expect its slots, at most for two heartbeats. */
final class Departure {

    private final TimeSource time;
    private final long waitMaxNanos;

    private volatile long begunNanos; // written before the next
    private volatile boolean begun; // written by the thread that stops the node
    private @Nullable Long announcedNanos; // the beat's: since when the store knows that this node leaves
    private volatile boolean othersExpectPartitions; // written by the beat

    Departure(TimeSource time, Duration heartbeat) {
        this.time = time;
        this.waitMaxNanos = heartbeat.multipliedBy(2).toNanos();
    }

    void begin() {
        begunNanos = time.nanoTime();
        begun = true;
    }

    boolean isBegun() {
        return begun;
    }

    /** Whether the slots are not to be given up yet. */
    boolean mustWait() {
        return begun && !othersExpectPartitions && time.nanoTime() - begunNanos < waitMaxNanos;
    }

    /**
     * A node that leaves beats as one that is not ready, and works on until the others have beaten since: then they expect
     * its slots and look for them often. What it gave up sooner would wait for their next heartbeat.
     */
    void update(ClusterView view, @Nullable String session, long askedNanos) {
        long since = announcedNanos == null ? time.nanoTime() : announcedNanos;
        announcedNanos = since;
        othersExpectPartitions |= !view.terms().strategy().usesPartitions()
                || othersReady(view, session)
                        .allMatch(other -> other.silentFor().toNanos() < askedNanos - since);
    }

    private static Stream<ClusterView.MemberState> othersReady(ClusterView view, @Nullable String session) {
        return view.states().entrySet().stream()
                .filter(each -> !each.getKey().equals(session))
                .map(Map.Entry::getValue)
                .filter(ClusterView.MemberState::ready);
    }
}
