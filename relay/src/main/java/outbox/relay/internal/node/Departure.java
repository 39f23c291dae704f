package outbox.relay.internal.node;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClusterView;

/** Delays the departure of a node: it works until the others expect its partitions, for at most two heartbeats. */
final class Departure {

    private final TimeSource time;
    private final long waitMaxNanos;

    private volatile long begunNanos; // written before the next
    private volatile boolean begun; // written by the thread that stops the node
    private @Nullable Long announcedNanos; // used by the heartbeat: since when the store knows that this node leaves
    private volatile boolean othersExpectPartitions; // written by the heartbeat

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

    /** Whether the partitions are not to be released yet. */
    boolean mustWait() {
        return begun && !othersExpectPartitions && time.nanoTime() - begunNanos < waitMaxNanos;
    }

    /**
     * A node that leaves sends heartbeats as one that is not ready, and works until all others have sent one since: then they
     * expect its partitions and check often. A partition that is released sooner waits for their next heartbeat.
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
