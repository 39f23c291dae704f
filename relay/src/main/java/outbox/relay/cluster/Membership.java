package outbox.relay.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.model.ClusterView;
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

    /** A session, and until when it surely lives. */
    private record Lease(String session, long untilNanos) {}

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
        lease = new Lease(member.session(), asked + holdsFor().toNanos());
        return member.session();
    }

    /** Beats, and shows the cluster; empty when this node's time was over, and it is no member any more. */
    public Optional<ClusterView> beat() {
        Lease held = lease;
        if (held == null) {
            return Optional.empty();
        }
        long asked = time.nanoTime();
        Optional<ClusterView> view = store.beat(held.session(), config.timeout());
        lease = view.isPresent() ? new Lease(held.session(), asked + holdsFor().toNanos()) : null;
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

    /** Leaves the registry, so that the others need not wait for the time-out. */
    public void leave() {
        Lease held = lease;
        lease = null;
        if (held != null) {
            store.leave(held.session());
        }
    }

    private Duration holdsFor() {
        return config.timeout().minus(config.timeout().dividedBy(10));
    }
}
