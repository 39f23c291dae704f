package outbox.relay.internal.node;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.relay.ClusterConfig;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;

/**
 * Renews this node's lease in the registry. One thread sends the heartbeats; any thread may ask whether the lease is held.
 *
 * <p>The store lets others take this node's partitions when its last heartbeat is older than the timeout by the store's
 * clock. This node counts from the moment <i>before</i> it asked, by its own monotonic clock, and stops a tenth of the
 * timeout earlier. Wall clocks decide nothing.
 *
 * <p>Where the store sees the ends of connections, others may also end a node that has lost its connection and missed two of
 * its heartbeats. A node whose heartbeats take long announces with each that the next will be as late. Others wait for two
 * of these, and this node need not stop while a slow heartbeat has not been answered.
 */
public final class Membership {

    private final ClusterStore store;
    private final ClusterConfig config;
    /** The layout that this node was started with; null once it was accepted, because then the store's counts. */
    private @Nullable ClusterLayout layout;

    private final TimeSource time;
    private final Supplier<Member> newMember;

    /** Written by the thread of the heartbeats, read by any; null while this node is no member. */
    private volatile @Nullable Lease lease;

    /** How long heartbeats take at most; a slow one is gradually forgotten. Used by the thread of the heartbeats. */
    private Duration slowest = Duration.ZERO;

    /**
     * How long a session is surely alive.
     *
     * @param askedNanos when the last heartbeat that was answered was asked for
     * @param mayBeEnded whether others would see the end of its connection; one may join at any moment
     * @param undisputedUntilNanos until when it is alive even if its connection to the store is lost
     */
    private record Lease(
            String session, long askedNanos, long untilNanos, boolean mayBeEnded, long undisputedUntilNanos) {

        // A heartbeat that is not answered may have been written, and then counts instead of the last one.
        Lease atMost(long untilNanosIfWritten) {
            return !mayBeEnded || undisputedUntilNanos - untilNanosIfWritten < 0
                    ? this
                    : new Lease(session, askedNanos, untilNanos, mayBeEnded, untilNanosIfWritten);
        }
    }

    /** @param newMember gives this node with a new session each time */
    public Membership(
            ClusterStore store,
            ClusterConfig config,
            ClusterLayout layout,
            TimeSource time,
            Supplier<Member> newMember) {
        this.store = store;
        this.config = config;
        this.layout = layout;
        this.time = time;
        this.newMember = newMember;
    }

    /** Registers as a new session and returns it. */
    public String join() {
        Member member = newMember.get();
        long asked = time.nanoTime();
        store.join(member, layout, config.timeout());
        layout = null;
        lease = lease(member.session(), asked, config.heartbeat(), false);
        return member.session();
    }

    /**
     * Sends a heartbeat, which shows the cluster; empty when the lease was over, and this node is no member any more.
     *
     * @param ready whether this node may be given partitions
     */
    public Optional<ClusterView> heartbeat(boolean ready) {
        Lease current = lease;
        if (current == null) {
            return Optional.empty();
        }
        Duration interval = longer(config.heartbeat(), slowest.multipliedBy(3).dividedBy(2));
        long asked = time.nanoTime();
        lease = current.atMost(asked + undisputedFor(interval).toNanos());
        Optional<ClusterView> view =
                store.heartbeat(new Heartbeat(current.session(), config.timeout(), interval, ready));
        slowest = longer(Duration.ofNanos(time.nanoTime() - asked), slowest.dividedBy(2));
        boolean mayBeEnded = view.isPresent() && store.isWatched(current.session());
        lease = view.isPresent() ? lease(current.session(), asked, interval, mayBeEnded) : null;
        return view;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** The session of this node; null while it is no member. */
    public @Nullable String session() {
        Lease current = lease;
        return current == null ? null : current.session();
    }

    /** Whether no other node can have taken what this session owns. */
    public boolean isHeld(String session) {
        Lease current = lease;
        return current != null && current.session().equals(session) && time.nanoTime() - current.untilNanos() < 0;
    }

    /**
     * Whether no node can have taken what this session owns even if the store has seen its connection end: the last
     * heartbeat is young enough, or no other node would see that. A session that is not undisputed begins nothing new,
     * and keeps what it owns.
     */
    public boolean isUndisputed(String session) {
        Lease current = lease;
        return isHeld(session) && current != null && time.nanoTime() - current.undisputedUntilNanos() < 0;
    }

    /** Since the last heartbeat that was answered was asked for; zero while this node is no member. */
    public Duration sinceHeartbeat() {
        Lease current = lease;
        return current == null ? Duration.ZERO : Duration.ofNanos(time.nanoTime() - current.askedNanos());
    }

    /** Leaves the registry, so that the others need not wait for the timeout. */
    public void leave() {
        Lease current = lease;
        lease = null;
        if (current != null) {
            store.leave(current.session());
        }
    }

    private Lease lease(String session, long askedNanos, Duration interval, boolean mayBeEnded) {
        long until = askedNanos + leaseTime().toNanos();
        return new Lease(
                session,
                askedNanos,
                until,
                mayBeEnded,
                mayBeEnded ? askedNanos + undisputedFor(interval).toNanos() : until);
    }

    // A tenth less than others wait before they believe that a connection which has ended means a death.
    private static Duration undisputedFor(Duration interval) {
        Duration patience = interval.multipliedBy(Heartbeat.MISSING_AFTER);
        return patience.minus(patience.dividedBy(10));
    }

    private Duration leaseTime() {
        return config.timeout().minus(config.timeout().dividedBy(10));
    }
}
