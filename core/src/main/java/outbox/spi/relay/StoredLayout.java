package outbox.spi.relay;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.LayoutMismatchException;

/**
 * The layout that a table has stored. Every store checks here whether a relay fits it.
 *
 * @param strategy the label of the strategy, or {@link #DISPATCHER}; null before the first use
 * @param partitionsWanted the number that the cluster is changing to; null without a change
 */
public record StoredLayout(
        @Nullable String strategy, int partitions, @Nullable Integer partitionsWanted) {

    /** The label of dispatchers, which claim events one by one and keep no order. */
    public static final String DISPATCHER = "dispatcher";

    /**
     * Whether a partition may be acquired: the relay has the right number of partitions, and the number is not
     * changing. It does not matter which strategy with partitions is stored.
     */
    public boolean allowsOwnership(ClusterLayout terms, int partition) {
        return ClaimStrategy.of(strategy).filter(ClaimStrategy::usesPartitions).isPresent()
                && terms.partitions() == partitions
                && partitionsWanted == null
                && partition >= 0
                && partition < partitions;
    }

    /** Whether the relay has the number of partitions that the cluster is changing to. */
    public boolean isTarget(ClusterLayout terms) {
        return terms.strategy().usesPartitions() && Objects.equals(partitionsWanted, terms.partitions());
    }

    /** The layout, if relays use the table; empty if dispatchers do. */
    public Optional<ClusterLayout> layout() {
        return ClaimStrategy.of(strategy).map(known -> new ClusterLayout(known, partitions));
    }

    /**
     * The layout that a relay which has joined relies on.
     *
     * @param place as the error names it, such as "table outbox_event"
     */
    public ClusterLayout requireLayout(String place) {
        return layout().orElseThrow(() -> new LayoutMismatchException(
                place + " is used with claim strategy " + strategy + ", which no relay knows"));
    }

    /**
     * Refuses a change of strategy while nodes run, unless both strategies use partitions.
     *
     * @param alive the ids of the running nodes
     */
    public void requireChangeTo(ClaimStrategy wanted, String place, List<String> alive) {
        boolean bothUsePartitions = wanted.usesPartitions()
                && ClaimStrategy.of(strategy)
                        .filter(ClaimStrategy::usesPartitions)
                        .isPresent();
        if (!bothUsePartitions && !alive.isEmpty()) {
            throw new LayoutMismatchException(place + " is used with claim strategy " + strategy + " by "
                    + String.join(", ", alive) + ", which cannot change to " + wanted.label()
                    + " while they run. Stop them first.");
        }
    }

    /** Refuses a relay that rejoins a table which relays no longer use. */
    public void requireRelays(String place) {
        if (layout().isEmpty()) {
            throw new LayoutMismatchException(place + " is used with claim strategy " + strategy
                    + ", and no longer by relays. Restart this relay to use the table again.");
        }
    }

    /**
     * Refuses a dispatcher on a table of relays.
     *
     * @param strategy the stored label
     * @param change the call that changes the table to dispatchers
     */
    public static void requireDispatchers(String place, @Nullable String strategy, String change) {
        if (!DISPATCHER.equals(strategy)) {
            throw new LayoutMismatchException(place + " is used with claim strategy " + strategy
                    + ", and this instance is a dispatcher: together they would deliver events twice or out of order."
                    + " Run a relay in this instance too, or stop all relays and call " + change + ".");
        }
    }

    /** Refuses a relay that has another layout. */
    public void require(String place, ClusterLayout terms) {
        String mine = terms.strategy().label();
        if (strategy != null && !strategy.equals(mine)) {
            throw new LayoutMismatchException(place + " is used with claim strategy " + strategy
                    + ", and this relay is set to " + terms + ": together they would deliver events twice or out of"
                    + " order. Set this relay to " + strategy + " if it is a relay's strategy, or call"
                    + " ClusterAdmin.changeStrategy(ClaimStrategy." + terms.strategy() + "), with all others stopped"
                    + " unless it is a change between partitioned and primary.");
        }
        if (terms.strategy().usesPartitions() && terms.partitions() != partitions) {
            throw new LayoutMismatchException(
                    place + " has " + partitions + " partitions, and this relay is set to " + terms
                            + ". Set partitions to " + partitions + ", or call ClusterAdmin.changePartitions("
                            + terms.partitions() + ") and start it again once the change is done.");
        }
    }
}
