package outbox.relay.internal.deliver;

import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.model.OutboxEvent;

/**
 * An event on its way to a destination.
 *
 * @param ticket what its sender knows it by
 * @param lane its key's hash
 * @param address where within the destination; null: as the destination is set
 */
public record Sending<T>(
        T ticket,
        OutboxEvent event,
        int lane,
        long bytes,
        @Nullable Template address) {}
