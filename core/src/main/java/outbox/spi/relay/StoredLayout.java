package outbox.spi.relay;

import java.util.Objects;
import java.util.stream.Stream;
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

    /**
     * Whether a slot may be taken: there are as many as the relay believes, and they are not being renumbered. Which of
     * the strategies with slots it is may have changed a moment ago, and does not matter to ownership.
     */
    public boolean hold(ClusterLayout terms, int slot) {
        boolean hasSlots = Stream.of(ClaimStrategy.values())
                .anyMatch(each -> each.hasSlots() && each.word().equals(strategy));
        return hasSlots
                && terms.partitions() == partitions
                && partitionsWanted == null
                && slot >= 0
                && slot < partitions;
    }

    /** Whether the relay comes with the number of partitions that is being changed to. */
    public boolean willBe(ClusterLayout terms) {
        return terms.strategy().hasSlots() && Objects.equals(partitionsWanted, terms.partitions());
    }

    /**
     * Refuses what is not worked by relays, to one that would follow whatever they have agreed on.
     *
     * @param place as the complaint names it, such as "table outbox_event"
     */
    public void requireRelays(String place) {
        if (Stream.of(ClaimStrategy.values()).noneMatch(each -> each.word().equals(strategy))) {
            throw new LayoutMismatchException(place + " is worked with claim strategy " + strategy
                    + ", and no more by relays. Start this one anew if it is to work it again.");
        }
    }

    /**
     * Refuses a relay that comes on other terms.
     *
     * @param place as the complaint names it, such as "table outbox_event"
     */
    public void require(String place, ClusterLayout terms) {
        String mine = terms.strategy().word();
        if (strategy != null && !strategy.equals(mine)) {
            throw new LayoutMismatchException(place + " is worked with claim strategy " + strategy
                    + ", and this relay is set to " + terms + ": together they would deliver events twice or out of"
                    + " order. Set this relay to " + strategy + " if it is a relay's strategy, or call"
                    + " ClusterAdmin.changeStrategy(ClaimStrategy." + terms.strategy() + "), with all others stopped"
                    + " unless it is a change between partitioned and primary.");
        }
        if (terms.strategy().hasSlots() && terms.partitions() != partitions) {
            throw new LayoutMismatchException(
                    place + " has " + partitions + " partitions, and this relay is set to " + terms
                            + ". Set partitions to " + partitions + ", or call ClusterAdmin.changePartitions("
                            + terms.partitions() + ") and start it again once the change is done.");
        }
    }
}
