package outbox.spi.relay;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.LayoutMismatchException;

/**
 * The terms on which a table is worked, as the table itself says. Every store asks here whether a relay fits.
 *
 * @param strategy the word of whoever works it; null when nobody has yet
 * @param partitionsWanted the number that is being changed to; null when it is not being changed
 */
public record StoredLayout(
        @Nullable String strategy, int partitions, @Nullable Integer partitionsWanted) {

    /** The word of dispatchers, which claim events one by one and keep no order. */
    public static final String DISPATCHER = "dispatcher";

    /**
     * Whether a slot may be taken: there are as many as the relay believes, and they are not being renumbered. Which of
     * the strategies with slots it is may have changed a moment ago, and does not matter to ownership.
     */
    public boolean allowsOwnership(ClusterLayout terms, int partition) {
        return ClaimStrategy.of(strategy).filter(ClaimStrategy::usesPartitions).isPresent()
                && terms.partitions() == partitions
                && partitionsWanted == null
                && partition >= 0
                && partition < partitions;
    }

    /** Whether the relay comes with the number of partitions that is being changed to. */
    public boolean isTarget(ClusterLayout terms) {
        return terms.strategy().usesPartitions() && Objects.equals(partitionsWanted, terms.partitions());
    }

    /** The terms, where relays work it; dispatchers have terms of their own. */
    public Optional<ClusterLayout> layout() {
        return ClaimStrategy.of(strategy).map(known -> new ClusterLayout(known, partitions));
    }

    /**
     * The terms, which a relay that has joined relies on.
     *
     * @param place as the complaint names it, such as "table outbox_event"
     */
    public ClusterLayout requireLayout(String place) {
        return layout().orElseThrow(() -> new LayoutMismatchException(
                place + " is worked with claim strategy " + strategy + ", which no relay knows"));
    }

    /**
     * Refuses a change of strategy under nodes that run, unless both strategies have slots.
     *
     * @param place as the complaint names it, such as "table outbox_event"
     * @param alive the ids of the nodes that run
     */
    public void requireChangeTo(ClaimStrategy wanted, String place, List<String> alive) {
        boolean bothHaveSlots = wanted.usesPartitions()
                && ClaimStrategy.of(strategy)
                        .filter(ClaimStrategy::usesPartitions)
                        .isPresent();
        if (!bothHaveSlots && !alive.isEmpty()) {
            throw new LayoutMismatchException(place + " is worked with claim strategy " + strategy + " by "
                    + String.join(", ", alive) + ", which cannot change to " + wanted.label()
                    + " while they run. Stop them first.");
        }
    }

    /**
     * Refuses what is not worked by relays, to one that would follow whatever they have agreed on.
     *
     * @param place as the complaint names it, such as "table outbox_event"
     */
    public void requireRelays(String place) {
        if (layout().isEmpty()) {
            throw new LayoutMismatchException(place + " is worked with claim strategy " + strategy
                    + ", and no more by relays. Start this one anew if it is to work it again.");
        }
    }

    /**
     * Refuses a dispatcher where relays work.
     *
     * @param place as the complaint names it, such as "table outbox_event"
     * @param strategy the word of those who work it
     * @param change the call that gives it to dispatchers
     */
    public static void requireDispatchers(String place, @Nullable String strategy, String change) {
        if (!DISPATCHER.equals(strategy)) {
            throw new LayoutMismatchException(place + " is worked with claim strategy " + strategy
                    + ", and this instance is a dispatcher: together they would deliver events twice or out of order."
                    + " Run a relay in this instance too, or stop all relays and call " + change + ".");
        }
    }

    /**
     * Refuses a relay that comes on other terms.
     *
     * @param place as the complaint names it, such as "table outbox_event"
     */
    public void require(String place, ClusterLayout terms) {
        String mine = terms.strategy().label();
        if (strategy != null && !strategy.equals(mine)) {
            throw new LayoutMismatchException(place + " is worked with claim strategy " + strategy
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
