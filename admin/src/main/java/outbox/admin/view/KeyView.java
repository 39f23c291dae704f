package outbox.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/**
 * A key's lane.
 *
 * @param partition that it belongs to; null where there are none
 * @param owner the node that owns it; null for none
 * @param pause of the key itself; null when it is not paused
 * @param pending the first of its pending events, in order
 * @param more whether there are more than those
 * @param dead its latest dead events
 * @param reasons why the lane does not move, in sentences, the nearest cause first; empty if nothing blocks it
 */
public record KeyView(
        String key,
        @Nullable Integer partition,
        @Nullable String owner,
        @Nullable Pause pause,
        List<EventSummary> pending,
        boolean more,
        List<EventSummary> dead,
        List<String> reasons) {}
