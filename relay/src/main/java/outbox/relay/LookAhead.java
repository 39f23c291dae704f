package outbox.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import outbox.model.Fetched;
import outbox.spi.RelayStore;

/**
 * One look at the store for all slots that are told of commits together, instead of one by each of them: in a steady
 * flow most looks find one event, and the way to the store costs more than what is read there.
 *
 * <p>Slots with much to do are woken, and look for themselves side by side; so does everybody when the look fails, and
 * tells what was wrong.
 */
record LookAhead(RelayStore store) {

    private static final int SLOTS_MIN = 2;

    /** Looks for those who let others look for them, and wakes the rest; returns what hands over what was seen. */
    Runnable look(Collection<SlotLoop> woken) {
        List<SlotLoop> slots = new ArrayList<>();
        List<Intake.Ahead> aheads = new ArrayList<>();
        for (SlotLoop slot : woken) {
            Intake.Ahead ahead = slot.ahead();
            if (ahead == null) {
                slot.wake();
            } else {
                slots.add(slot);
                aheads.add(ahead);
            }
        }
        List<Fetched> seen = slots.size() < SLOTS_MIN ? List.of() : fetch(aheads);
        if (seen.isEmpty()) {
            return () -> slots.forEach(SlotLoop::wake);
        }
        return () -> {
            for (int i = 0; i < seen.size(); i++) {
                slots.get(i).seen(aheads.get(i), seen.get(i));
            }
        };
    }

    private List<Fetched> fetch(List<Intake.Ahead> aheads) {
        try {
            return store.fetchTogether(
                    aheads.stream().map(Intake.Ahead::request).toList());
        } catch (RuntimeException e) {
            return List.of();
        }
    }
}
