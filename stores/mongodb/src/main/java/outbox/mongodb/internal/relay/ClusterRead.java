package outbox.mongodb.internal.relay;

import com.mongodb.client.model.Filters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.MongoSource;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.ClusterView.PartitionState;
import outbox.spi.relay.Heartbeat;

/** Reads the cluster for a session that has just sent its heartbeat. */
record ClusterRead(MongoSource source, Heartbeat heartbeat) {

    /** Empty if the session is no longer a member. */
    Optional<ClusterView> execute() {
        Bson alive = Filters.or(NodeDocuments.ALIVE, Filters.eq(NodeDocuments.ID, heartbeat.session()));
        Document byAge = new Document(NodeDocuments.JOINED_AT, 1).append(NodeDocuments.ID, 1);
        return ClusterSnapshot.read(source, List.of(new Document("$match", alive), new Document("$sort", byAge)))
                .flatMap(this::view);
    }

    private Optional<ClusterView> view(ClusterSnapshot cluster) {
        Map<String, MemberState> states = new HashMap<>();
        cluster.nodes()
                .forEach(
                        node -> states.put(node.getString(NodeDocuments.ID), NodeDocuments.state(node, cluster.now())));
        if (!states.containsKey(heartbeat.session())) {
            return Optional.empty();
        }
        MetaDocument.Content meta = cluster.meta();
        ClusterLayout layout = meta.layout(source.names());
        List<PartitionState> partitions = cluster.partitionsOf(layout).stream()
                .map(each -> new PartitionState(each.number(), each.epoch(), each.ownerAmong(states.keySet())))
                .toList();
        return Optional.of(new ClusterView(
                cluster.nodes().stream().map(NodeDocuments::member).toList(),
                partitions,
                layout,
                meta.agreed().partitionsWanted(),
                meta.pausesVersion(),
                states));
    }
}
