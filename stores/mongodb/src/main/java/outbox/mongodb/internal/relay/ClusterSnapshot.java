package outbox.mongodb.internal.relay;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.spi.relay.ClusterLayout;

/** The registry of nodes and partitions in one snapshot. */
public record ClusterSnapshot(
        MetaDocument.Content meta, Instant now, List<Document> nodes, List<OwnershipDocuments.Content> partitions) {

    private static final String KIND = "kind";
    private static final String META = "meta";
    private static final String NODE = "node";
    private static final String PARTITION = "partition";
    private static final String NOW = "now";

    /**
     * Reads the registry; empty when its meta document is missing.
     *
     * @param nodeStages the pipeline's stages that select and sort the nodes
     */
    public static Optional<ClusterSnapshot> read(MongoSource source, List<Bson> nodeStages) {
        List<Bson> nodes = new ArrayList<>(nodeStages);
        nodes.add(ofKind(NODE));
        List<Bson> pipeline = List.of(
                new Document("$match", MetaDocument.id(source.names())),
                ofKind(META),
                new Document("$set", new Document(NOW, Expression.NOW)),
                union(source.names().node(), nodes),
                union(source.names().slot(), List.of(ofKind(PARTITION))));
        Map<String, List<Document>> byKind = source
                .snapshot(
                        "read the cluster",
                        collections -> collections.meta().aggregate(pipeline).into(new ArrayList<>()))
                .stream()
                .collect(Collectors.groupingBy(document -> document.getString(KIND)));
        return byKind.getOrDefault(META, List.of()).stream()
                .findFirst()
                .map(meta -> new ClusterSnapshot(
                        MetaDocument.Content.of(meta),
                        EventDocuments.required(meta, NOW),
                        byKind.getOrDefault(NODE, List.of()),
                        byKind.getOrDefault(PARTITION, List.of()).stream()
                                .map(OwnershipDocuments.Content::of)
                                .sorted(Comparator.comparingInt(OwnershipDocuments.Content::number))
                                .toList()));
    }

    private static Document ofKind(String kind) {
        return new Document("$set", new Document(KIND, kind));
    }

    private static Document union(String collection, List<Bson> pipeline) {
        return new Document("$unionWith", new Document("coll", collection).append("pipeline", pipeline));
    }

    /** The partitions of a layout; none if it has none. */
    public List<OwnershipDocuments.Content> partitionsOf(@Nullable ClusterLayout layout) {
        int count = layout == null || !layout.strategy().usesPartitions() ? 0 : layout.partitions();
        return partitions.stream()
                .filter(partition -> partition.number() < count)
                .toList();
    }
}
