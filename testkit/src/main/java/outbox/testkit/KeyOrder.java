package outbox.testkit;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import outbox.model.EventStatus;

/** Whose turn it is in each key, as one snapshot shows it. */
final class KeyOrder {

    /** The oldest event of each key that is due or waits for its retry. */
    private final Map<String, Long> heads = new HashMap<>();

    private final Set<String> heldKeys = new HashSet<>();

    KeyOrder(Collection<Row> snapshot, Instant now) {
        for (Row row : snapshot) {
            String key = row.event().orderingKey();
            if (key == null) {
                continue;
            }
            if (row.isHeldAt(now)) {
                heldKeys.add(key);
            }
            if (row.state().status() == EventStatus.RETRY || row.isDueAt(now)) {
                heads.merge(key, row.seq(), Math::min);
            }
        }
    }

    boolean isTurnOf(Row due) {
        String key = due.event().orderingKey();
        if (key == null) {
            return true;
        }
        Long head = heads.get(key);
        return head != null && head == due.seq() && !heldKeys.contains(key);
    }
}
