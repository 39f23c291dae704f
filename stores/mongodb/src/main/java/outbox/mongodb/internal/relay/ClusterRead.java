package outbox.mongodb.internal.relay;

import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.ClusterView.PartitionState;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;

/** The cluster as one snapshot shows it, to a session that has just beaten. */
public record ClusterRead(MongoSource source, Heartbeat heartbeat) {

    private static final String KIND = "kind";
    private static final String MEMBER = "member";
    private static final String SLOT = "slot";
    private static final String NOW = "now";

    Optional<ClusterView> execute() {
        List<Document> answers = source.look(
                "look at the cluster",
                collections -> collections.meta().aggregate(pipeline()).into(new ArrayList<>()));
        MetaDocument.Content meta = null;
        List<Member> members = new ArrayList<>();
        Map<String, MemberState> states = new HashMap<>();
        List<OwnershipDocuments.Content> slots = new ArrayList<>();
        for (Document answer : answers) {
            switch (answer.get(KIND, "")) {
                case MEMBER -> {
                    Member member = NodeDocuments.member(answer);
                    members.add(member);
                    states.put(member.session(), NodeDocuments.state(answer, EventDocuments.required(answer, NOW)));
                }
                case SLOT -> slots.add(OwnershipDocuments.Content.of(answer));
                default -> meta = MetaDocument.Content.of(answer);
            }
        }
        if (meta == null || !states.containsKey(heartbeat.session())) {
            return Optional.empty();
        }
        ClusterLayout terms = meta.terms(source.names());
        int partitions = terms.strategy().usesPartitions() ? terms.partitions() : 0;
        List<PartitionState> owned = slots.stream()
                .filter(slot -> slot.slot() < partitions)
                .map(slot -> new PartitionState(
                        slot.slot(),
                        slot.epoch(),
                        slot.owner() != null && states.containsKey(slot.owner()) ? slot.owner() : null))
                .sorted(Comparator.comparingInt(PartitionState::partition))
                .toList();
        return Optional.of(
                new ClusterView(members, owned, terms, meta.agreed().partitionsWanted(), meta.holdsVersion(), states));
    }

    private List<Bson> pipeline() {
        Bson alive = Filters.or(NodeDocuments.ALIVE, Filters.eq(NodeDocuments.ID, heartbeat.session()));
        Document byAge = new Document(NodeDocuments.JOINED_AT, 1).append(NodeDocuments.ID, 1);
        List<Bson> pipeline = new ArrayList<>();
        pipeline.add(new Document("$match", MetaDocument.id(source.names())));
        pipeline.addAll(
                nodesAndSlots(source.names(), List.of(new Document("$match", alive), new Document("$sort", byAge))));
        return pipeline;
    }

    /** The stages that add members and slots to what was found. */
    public static List<Bson> nodesAndSlots(CollectionNames names, List<Bson> whichNodes) {
        List<Bson> nodes = new ArrayList<>(whichNodes);
        nodes.add(new Document("$set", new Document(KIND, MEMBER).append(NOW, Expression.NOW)));
        return List.of(
                union(names.node(), nodes),
                union(names.slot(), List.of(new Document("$set", new Document(KIND, SLOT)))));
    }

    public static boolean isMember(Document answer) {
        return MEMBER.equals(answer.getString(KIND));
    }

    private static Document union(String collection, List<Bson> pipeline) {
        return new Document("$unionWith", new Document("coll", collection).append("pipeline", pipeline));
    }
}
