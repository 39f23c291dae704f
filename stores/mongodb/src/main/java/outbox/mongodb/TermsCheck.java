package outbox.mongodb;

import java.util.Objects;
import java.util.stream.Stream;
import outbox.RelayTermsException;
import outbox.model.ClaimStrategy;
import outbox.model.RelayTerms;

/** Compares a relay's terms with what the collection is worked with. */
record TermsCheck(CollectionNames names, MetaDocument.Content agreed, RelayTerms terms) {

    /**
     * Whether a slot may be taken: there are as many as the relay believes, and they are not being renumbered. Which of
     * the strategies with slots it is may have changed a moment ago, and does not matter to ownership.
     */
    boolean holds(int slot) {
        boolean hasSlots = Stream.of(ClaimStrategy.values())
                .anyMatch(strategy -> strategy.hasSlots() && strategy.word().equals(agreed.strategy()));
        return hasSlots
                && terms.partitions() == agreed.partitions()
                && agreed.partitionsWanted() == null
                && slot >= 0
                && slot < agreed.partitions();
    }

    /** Refuses a collection that is not worked by relays, to one that would follow whatever they have agreed on. */
    static void requireRelays(CollectionNames names, MetaDocument.Content agreed) {
        if (Stream.of(ClaimStrategy.values())
                .noneMatch(strategy -> strategy.word().equals(agreed.strategy()))) {
            throw new RelayTermsException("collection " + names.event() + " is worked with claim strategy "
                    + agreed.strategy() + ", and no more by relays. Start this one anew if it is to work it again.");
        }
    }

    /** Whether the relay comes with the number of partitions that the collection is to be changed to. */
    boolean isWanted() {
        return terms.strategy().hasSlots() && Objects.equals(agreed.partitionsWanted(), terms.partitions());
    }

    void require() {
        String strategy = agreed.strategy();
        String mine = terms.strategy().word();
        if (strategy != null && !strategy.equals(mine)) {
            throw new RelayTermsException("collection " + names.event() + " is worked with claim strategy " + strategy
                    + ", and this relay is set to " + terms + ": together they would deliver events twice or out of"
                    + " order. Set this relay to " + strategy + " if it is a relay's strategy, or call"
                    + " ClusterAdmin.changeStrategy(ClaimStrategy." + terms.strategy() + "), with all others stopped"
                    + " unless it is a change between partitioned and primary.");
        }
        if (terms.strategy().hasSlots() && terms.partitions() != agreed.partitions()) {
            throw new RelayTermsException("collection " + names.event() + " has " + agreed.partitions()
                    + " partitions, and this relay is set to " + terms + ". Set partitions to " + agreed.partitions()
                    + ", or call ClusterAdmin.changePartitions(" + terms.partitions() + ") and start it again once the"
                    + " change is done.");
        }
    }
}
