package outbox.relay.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.model.ClusterView;
import outbox.model.Heartbeat;
import outbox.model.Member;
import outbox.model.RelayTerms;
import outbox.spi.ClusterStore;
import outbox.util.TimeSource;

/**
 * This node's life in the registry. Beating belongs to one thread; anybody may ask whether the lease holds.
 *
 * <p>The store lets others take this node's slots when its last beat is older than the time-out by the store's clock.
 * This node counts from the moment <i>before</i> it asked, by its own monotonic clock, and stops a tenth of the
 * time-out earlier. Wall clocks decide nothing.
 */
public final class Membership {

    private final ClusterStore store;
    private final ClusterConfig config;
    /** What this node was started with; null once it was accepted, because from then on it follows the others. */
    private @Nullable RelayTerms terms;

    private final TimeSource time;
    private final Supplier<Member> newMember;

    /** Written by the beating thread, read by all; null while this node is no member. */
    private volatile @Nullable Lease lease;

    /**
     * A session, until when it surely lives, and until when it does even if its connection to the store is lost.
     */
    private record Lease(String session, long untilNanos, long undisputedUntilNanos) {}

    /**
     * A node that has not joined yet.
     *
     * @param newMember gives this node with a new session each time
     */
    public Membership(
            ClusterStore store, ClusterConfig config, RelayTerms terms, TimeSource time, Supplier<Member> newMember) {
        this.store = store;
        this.config = config;
        this.terms = terms;
        this.time = time;
        this.newMember = newMember;
    }

    /** Registers as a new session and returns it. */
    public String join() {
        Member member = newMember.get();
        long asked = time.nanoTime();
        store.join(member, terms, config.timeout());
        terms = null;
        lease = lease(member.session(), asked);
        return member.session();
    }

    /**
     * Beats, and shows the cluster; empty when this node's time was over, and it is no member any more.
     *
     * @param ready whether this node may be given partitions
     */
    public Optional<ClusterView> beat(boolean ready) {
        Lease held = lease;
        if (held == null) {
            return Optional.empty();
        }
        long asked = time.nanoTime();
        Optional<ClusterView> view =
                store.beat(new Heartbeat(held.session(), config.timeout(), config.heartbeat(), ready));
        lease = view.isPresent() ? lease(held.session(), asked) : null;
        return view;
    }

    /** The session of this node; null while it is no member. */
    public @Nullable String session() {
        Lease held = lease;
        return held == null ? null : held.session();
    }

    /** Whether nobody else can have taken what this session owns. */
    public boolean isHeld(String session) {
        Lease held = lease;
        return held != null && held.session().equals(session) && time.nanoTime() - held.untilNanos() < 0;
    }

    /**
     * Whether nobody can have taken what this session owns even if the store has seen its connection end: the last
     * heartbeat is young enough. A session that is not undisputed begins nothing new, and keeps what it owns.
     */
    public boolean isUndisputed(String session) {
        Lease held = lease;
        return isHeld(session) && held != null && time.nanoTime() - held.undisputedUntilNanos() < 0;
    }

    /** Leaves the registry, so that the others need not wait for the time-out. */
    public void leave() {
        Lease held = lease;
        lease = null;
        if (held != null) {
            store.leave(held.session());
        }
    }

    private Lease lease(String session, long askedNanos) {
        return new Lease(
                session,
                askedNanos + holdsFor().toNanos(),
                askedNanos + undisputedFor().toNanos());
    }

    // A tenth less than others wait before they believe that a connection which has ended means a death.
    private Duration undisputedFor() {
        Duration patience = config.heartbeat().multipliedBy(Heartbeat.MISSING_AFTER);
        return patience.minus(patience.dividedBy(10));
    }

    private Duration holdsFor() {
        return config.timeout().minus(config.timeout().dividedBy(10));
    }
}
