package outbox.kafka;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer's serializer, which Kafka notifies when the cluster has described itself to the producer. There is no other
 * way to wait for that without asking about a topic.
 */
final class FirstContact extends ByteArraySerializer implements ClusterResourceListener {

    private final CompletableFuture<Void> made = new CompletableFuture<>();

    /** Ends when the producer is connected and knows the cluster. */
    CompletableFuture<Void> made() {
        return made.copy();
    }

    @Override
    public void onUpdate(ClusterResource cluster) {
        made.complete(null);
    }
}
