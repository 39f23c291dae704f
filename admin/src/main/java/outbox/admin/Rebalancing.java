package outbox.admin;

import org.jspecify.annotations.Nullable;
import outbox.admin.view.NodeView;
import outbox.admin.view.OperationResult;
import outbox.spi.relay.ClusterLayout;

/**
 * Spreads the partitions. Live nodes do that by themselves, by weight and with as few moves as possible, so without
 * another number there is nothing to do but to say how they are spread.
 */
record Rebalancing(AdminStores stores, String who) {

    OperationResult carryOut(@Nullable Integer partitions) {
        ClusterPicture picture = ClusterPicture.of(stores);
        ClusterLayout terms = picture.report().terms();
        if (terms == null || !terms.strategy().usesPartitions()) {
            throw new IllegalArgumentException("there are no partitions to spread: "
                    + (terms == null ? "no relay has ever worked on this table" : "its relays claim by lease"));
        }
        if (partitions == null) {
            return new OperationResult(0, spread(picture));
        }
        int wanted = new ClusterLayout(terms.strategy(), partitions).partitions(); // Checks the number.
        Integer changingTo = picture.report().partitionsWanted();
        boolean isThere = wanted == (changingTo == null ? terms.partitions() : changingTo);
        if (isThere) {
            return new OperationResult(0, "there are " + wanted + " partitions already, or soon will be");
        }
        stores.cluster().changePartitions(wanted, who);
        return new OperationResult(
                1,
                "from " + terms.partitions() + " to " + wanted + " partitions: every node hands over, and goes on with"
                        + " the new ones within seconds");
    }

    private static String spread(ClusterPicture picture) {
        StringBuilder words = new StringBuilder("live nodes spread the partitions by themselves, by weight; now ");
        for (NodeView node : picture.nodes()) {
            if (node.alive()) {
                words.append(node.nodeId())
                        .append(" has ")
                        .append(node.partitions())
                        .append(", ");
            }
        }
        int free = picture.partitionsWithoutOwner().size();
        return words.append(free)
                .append(free == 1 ? " has no owner" : " have no owner")
                .toString();
    }
}
