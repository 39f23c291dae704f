package catbox.verification;

import catbox.verification.Deliveries.Delivery;
import catbox.verification.KeyWriter.Written;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the promise of order: an event that was committed before another of its key was inserted came, and ended, first. */
final class OrderCheck {

    private OrderCheck() {}

    static List<String> violations(List<Written> written, List<Delivery> deliveries) {
        Map<String, Long> firstStart = new HashMap<>();
        Map<String, Long> lastEnd = new HashMap<>();
        for (Delivery delivery : deliveries) {
            firstStart.merge(delivery.eventId(), delivery.startedAt(), Math::min);
            lastEnd.merge(delivery.eventId(), delivery.endedAt(), Math::max);
        }
        List<String> violations = new ArrayList<>();
        for (Written before : written) {
            for (Written after : written) {
                boolean ordered = before.key().equals(after.key()) && before.commitKnown() < after.insertBegan();
                if (ordered && lastEnd.get(before.eventId()) > firstStart.get(after.eventId())) {
                    violations.add(
                            before.key() + ": " + after.eventId() + " began before " + before.eventId() + " ended");
                }
            }
        }
        return violations;
    }
}
