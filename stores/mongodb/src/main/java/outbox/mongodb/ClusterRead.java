package outbox.mongodb;

import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.model.ClusterView;
import outbox.model.ClusterView.SlotState;
import outbox.model.Member;
import outbox.model.RelayTerms;

/** The cluster as one snapshot shows it, to a session that has just beaten. */
record ClusterRead(MongoSource source, String session) {

    private static final String KIND = "kind";
    private static final String MEMBER = "member";
    private static final String SLOT = "slot";

    Optional<ClusterView> execute() {
        List<Document> answers = source.look(
                "look at the cluster",
                collections -> collections.meta().aggregate(pipeline()).into(new ArrayList<>()));
        MetaDocument.Content meta = null;
        List<Member> members = new ArrayList<>();
        Set<String> alive = new HashSet<>();
        List<SlotDocuments.Content> slots = new ArrayList<>();
        for (Document answer : answers) {
            switch (answer.get(KIND, "")) {
                case MEMBER -> {
                    Member member = NodeDocuments.member(answer);
                    members.add(member);
                    alive.add(member.session());
                }
                case SLOT -> slots.add(SlotDocuments.Content.of(answer));
                default -> meta = MetaDocument.Content.of(answer);
            }
        }
        if (meta == null || !alive.contains(session)) {
            return Optional.empty();
        }
        RelayTerms terms = meta.terms(source.names());
        int partitions = terms.strategy().hasSlots() ? terms.partitions() : 0;
        List<SlotState> states = slots.stream()
                .filter(slot -> slot.slot() < partitions)
                .map(slot -> new SlotState(
                        slot.slot(),
                        slot.epoch(),
                        slot.owner() != null && alive.contains(slot.owner()) ? slot.owner() : null))
                .sorted(Comparator.comparingInt(SlotState::slot))
                .toList();
        return Optional.of(
                new ClusterView(members, states, terms, meta.agreed().partitionsWanted(), meta.holdsVersion()));
    }

    private List<Bson> pipeline() {
        Bson alive = Filters.or(NodeDocuments.ALIVE, Filters.eq(NodeDocuments.ID, session));
        Document byAge = new Document(NodeDocuments.JOINED_AT, 1).append(NodeDocuments.ID, 1);
        List<Bson> pipeline = new ArrayList<>();
        pipeline.add(new Document("$match", MetaDocument.id(source.names())));
        pipeline.addAll(
                nodesAndSlots(source.names(), List.of(new Document("$match", alive), new Document("$sort", byAge))));
        return pipeline;
    }

    /** The stages that add members and slots to what was found. */
    static List<Bson> nodesAndSlots(CollectionNames names, List<Bson> whichNodes) {
        List<Bson> nodes = new ArrayList<>(whichNodes);
        nodes.add(new Document("$set", new Document(KIND, MEMBER)));
        return List.of(
                union(names.node(), nodes),
                union(names.slot(), List.of(new Document("$set", new Document(KIND, SLOT)))));
    }

    static boolean isMember(Document answer) {
        return MEMBER.equals(answer.getString(KIND));
    }

    private static Document union(String collection, List<Bson> pipeline) {
        return new Document("$unionWith", new Document("coll", collection).append("pipeline", pipeline));
    }
}
