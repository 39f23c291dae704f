package outbox.kafka;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer's serializer that Kafka notifies when the producer has received the cluster's metadata. It is the only
 * means to wait for that without requesting a topic.
 */
final class ClusterListener extends ByteArraySerializer implements ClusterResourceListener {

    private final CompletableFuture<Void> metadataKnown = new CompletableFuture<>();

    /** Completes when the producer is connected and has the cluster's metadata. */
    CompletableFuture<Void> known() {
        return metadataKnown.copy();
    }

    @Override
    public void onUpdate(ClusterResource cluster) {
        metadataKnown.complete(null);
    }
}
