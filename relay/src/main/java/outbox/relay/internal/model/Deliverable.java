package outbox.relay.internal.model;

import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.model.OutboxEvent;

/** An event to be delivered. Its {@link DeliveryResult} contains it. */
public interface Deliverable {

    OutboxEvent event();

    /** The hash that names its lane. */
    int laneId();

    long bytes();

    /** The address within the destination; null for the one that the destination is configured with. */
    @Nullable
    Template address();
}
