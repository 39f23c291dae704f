package outbox.admin.view;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A relay process.
 *
 * @param drained whether an operator has taken its partitions away
 * @param heartbeatAge the time since its last heartbeat, by the store's clock
 */
public record NodeView(
        String nodeId,
        String session,
        boolean alive,
        boolean drained,
        int weight,
        String version,
        String address,
        Instant joinedAt,
        Duration heartbeatAge,
        List<Integer> partitions) {}
