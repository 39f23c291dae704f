package outbox.mongodb.internal.operations;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.relay.ClusterRead;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.mongodb.internal.relay.NodeDocuments;
import outbox.mongodb.internal.relay.OwnershipDocuments;
import outbox.spi.operations.ClusterReport;
import outbox.spi.relay.ClusterLayout;

/** The relays of a collection as an operator sees them, as one snapshot shows them. */
record ClusterReportRead(MongoSource source) {

    private static final String NOW = "now";

    private static final Comparator<ClusterReport.Node> BY_NAME = Comparator.comparing(
                    (ClusterReport.Node node) -> node.member().nodeId())
            .thenComparing(ClusterReport.Node::joinedAt)
            .thenComparing(node -> node.member().session());

    ClusterReport execute() {
        List<Document> answers = source.look(
                "look at the cluster",
                collections -> collections.meta().aggregate(pipeline()).into(new ArrayList<>()));
        if (answers.isEmpty()) {
            throw new OutboxException("collection " + source.names().meta() + " has no document about "
                    + source.names().event() + "; install the schema");
        }
        Instant now = EventDocuments.required(answers.getFirst(), NOW);
        MetaDocument.Content meta = MetaDocument.Content.of(answers.getFirst());
        List<ClusterReport.Node> nodes = new ArrayList<>();
        Set<String> alive = new HashSet<>();
        List<OwnershipDocuments.Content> slots = new ArrayList<>();
        for (Document answer : answers.subList(1, answers.size())) {
            if (ClusterRead.isMember(answer)) {
                ClusterReport.Node node = NodeDocuments.node(answer);
                nodes.add(node);
                if (node.isAlive(now)) {
                    alive.add(node.member().session());
                }
            } else {
                slots.add(OwnershipDocuments.Content.of(answer));
            }
        }
        nodes.sort(BY_NAME);
        @Nullable ClusterLayout terms = meta.agreed().layout().orElse(null);
        return new ClusterReport(now, terms, meta.agreed().partitionsWanted(), nodes, slots(terms, slots, alive));
    }

    private static List<ClusterReport.Partition> slots(
            @Nullable ClusterLayout terms, List<OwnershipDocuments.Content> slots, Set<String> alive) {
        int partitions = terms == null || !terms.strategy().usesPartitions() ? 0 : terms.partitions();
        return slots.stream()
                .filter(slot -> slot.slot() < partitions)
                .sorted(Comparator.comparingInt(OwnershipDocuments.Content::slot))
                .map(slot -> new ClusterReport.Partition(
                        slot.slot(),
                        slot.epoch(),
                        slot.owner() != null && alive.contains(slot.owner()) ? slot.owner() : null,
                        slot.changedAt()))
                .toList();
    }

    private List<Bson> pipeline() {
        List<Bson> pipeline = new ArrayList<>();
        pipeline.add(new Document("$match", MetaDocument.id(source.names())));
        pipeline.add(new Document("$set", new Document(NOW, Expression.NOW)));
        pipeline.addAll(ClusterRead.nodesAndSlots(source.names(), List.of()));
        return pipeline;
    }
}
