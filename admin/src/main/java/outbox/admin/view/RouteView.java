package outbox.admin.view;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A route, in the order in which they are tried.
 *
 * @param match what it matches, as text
 * @param targets where to, with addresses as templates; empty when it drops
 * @param dropReason null when it does not drop
 * @param taken whether the sample takes this route
 * @param addresses what the templates give for the sample; empty unless it is taken
 */
public record RouteView(
        String name,
        String match,
        List<String> targets,
        @Nullable String dropReason,
        int weight,
        boolean paused,
        boolean taken,
        List<String> addresses) {

    /** The properties of an event that routes match. */
    public record Sample(
            String eventType,
            @Nullable String aggregateType,
            @Nullable String aggregateId,
            @Nullable String tenantId,
            Map<String, String> headers) {}
}
