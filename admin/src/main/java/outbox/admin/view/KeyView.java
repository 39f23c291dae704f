package outbox.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/**
 * A key's lane.
 *
 * @param partition that it belongs to; null where there are none
 * @param owner the node that works on it; null when there is none
 * @param hold on the key itself; null when it is not on hold
 * @param pending the first of its events that are not settled, in order
 * @param more whether there are more than those
 * @param dead its latest dead events
 * @param reasons in words why the lane does not move, the nearest cause first; empty when nothing is in its way
 */
public record KeyView(
        String key,
        @Nullable Integer partition,
        @Nullable String owner,
        @Nullable Pause hold,
        List<EventSummary> pending,
        boolean more,
        List<EventSummary> dead,
        List<String> reasons) {}
