package outbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import outbox.model.Fetched;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayListener;
import outbox.spi.RelayStore;
import outbox.util.ErrorText;
import outbox.util.TimeSource;

/**
 * One look at the store for all slots that are told of commits, by who is told, instead of one by each of them: in a
 * steady flow most looks find one event, and the way to the store costs more than what is read there.
 *
 * <p>Slots with much to do are woken, and look for themselves side by side. So do all of them for a while when a look has
 * failed, has brought no answer, or took long: nobody else hears of commits meanwhile.
 */
final class LookAhead {

    private static final Duration LONG = Duration.ofMillis(200);
    private static final Duration REST = Duration.ofSeconds(5);

    private final RelayStore store;
    private final TimeSource time;
    private final RelayListener listener;
    private volatile long restsUntilNanos;

    LookAhead(RelayStore store, Surroundings around) {
        this.store = store;
        this.time = around.time();
        this.listener = around.listener();
        this.restsUntilNanos = time.nanoTime();
    }

    /** Looks for those who let others look for them, and wakes the rest; returns what hands over what was seen. */
    Runnable look(Collection<SlotLoop> woken) {
        List<Look> looks = new ArrayList<>();
        boolean rests = restsUntilNanos - time.nanoTime() > 0;
        for (SlotLoop slot : woken) {
            Intake.Ahead ahead = rests ? null : slot.takeAhead();
            if (ahead == null) {
                slot.wake();
            } else {
                looks.add(new Look(slot, ahead));
            }
        }
        List<Fetched> seen = looks.isEmpty() ? List.of() : fetch(looks);
        if (seen.isEmpty()) {
            return () -> looks.forEach(look -> look.slot().wake());
        }
        return () -> {
            for (int i = 0; i < seen.size(); i++) {
                looks.get(i).handOver(seen.get(i));
            }
        };
    }

    private List<Fetched> fetch(List<Look> looks) {
        long begun = time.nanoTime();
        List<Fetched> seen = List.of();
        try {
            seen = store.fetchTogether(
                    looks.stream().map(look -> look.ahead().request()).toList());
        } catch (RuntimeException e) {
            listener.on(new RelayEvent.PartFailed("the look for several slots", ErrorText.of(e), e));
        }
        long now = time.nanoTime();
        if (seen.isEmpty() || now - begun > LONG.toNanos()) {
            restsUntilNanos = now + REST.toNanos();
        }
        return seen;
    }

    /** A look on behalf of a slot. */
    private record Look(SlotLoop slot, Intake.Ahead ahead) {

        // A turn costs more than a look, so a slot has none for nothing.
        void handOver(Fetched seen) {
            if (seen.events().isEmpty() && seen.horizon() != Fetched.OTHER_NUMBERS) {
                slot.sawNothing(ahead);
            } else {
                slot.seen(ahead, seen);
            }
        }
    }
}
