package outbox.relay.internal.model;

import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.model.OutboxEvent;

/** An event on its way to a destination. What delivers it gives it back with its {@link DeliveryResult}. */
public interface Deliverable {

    OutboxEvent event();

    /** The hash that names its lane. */
    int laneId();

    long bytes();

    /** Where within the destination; null: as the destination is set. */
    @Nullable
    Template address();
}
