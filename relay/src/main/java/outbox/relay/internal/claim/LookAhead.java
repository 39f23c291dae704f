package outbox.relay.internal.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import outbox.internal.ErrorText;
import outbox.relay.internal.loop.DeliveryLoop;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayListener;
import outbox.spi.TimeSource;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;

/**
 * One look at the store for all slots that are told of commits, by who is told, instead of one by each of them: in a
 * steady flow most looks find one event, and the way to the store costs more than what is read there. While events
 * {@linkplain Pacer flow} nobody waits to be told: there is a look every few milliseconds, for all slots.
 *
 * <p>Slots with much to do are woken, and look for themselves side by side. So do all of them for a while when a look has
 * failed, has brought no answer, or took long: nobody else hears of commits meanwhile.
 */
public final class LookAhead {

    private static final Duration LONG = Duration.ofMillis(200);
    private static final Duration REST = Duration.ofSeconds(5);

    private final PartitionStore store;
    private final TimeSource time;
    private final RelayListener listener;
    private final Pacer flow;
    private volatile long restsUntilNanos;

    public LookAhead(PartitionStore store, RelayContext around) {
        this.store = store;
        this.time = around.time();
        this.listener = around.listener();
        this.flow = new Pacer(time);
        this.restsUntilNanos = time.nanoTime();
    }

    /** How long to rest before the next look for all slots; zero when the next word is to be waited for. */
    public Duration untilNext() {
        return flow.rest();
    }

    /**
     * Looks for those who let others look for them, and wakes those who were told of and do not; returns what hands over
     * what was seen.
     *
     * @param told slots of which somebody has said that there is something new
     * @param others slots in which there may be something new all the same
     */
    public Runnable look(Collection<DeliveryLoop> told, Collection<DeliveryLoop> others) {
        List<Look> looks = new ArrayList<>();
        boolean rests = restsUntilNanos - time.nanoTime() > 0;
        for (DeliveryLoop slot : told) {
            if (rests || !gather(slot, looks)) {
                slot.wake();
            }
        }
        if (!rests) {
            others.forEach(slot -> gather(slot, looks));
        }
        long begun = time.nanoTime();
        List<PartitionPage> seen = looks.isEmpty() ? List.of() : fetch(looks);
        int events = seen.stream().mapToInt(each -> each.events().size()).sum();
        flow.found(events, Duration.ofNanos(time.nanoTime() - begun));
        if (seen.isEmpty()) {
            return () -> looks.forEach(look -> look.slot().wake());
        }
        return () -> {
            for (int i = 0; i < seen.size(); i++) {
                looks.get(i).handOver(seen.get(i));
            }
        };
    }

    private static boolean gather(DeliveryLoop slot, List<Look> looks) {
        Claimer.Ahead ahead = slot.takeAhead();
        return ahead != null && looks.add(new Look(slot, ahead));
    }

    private List<PartitionPage> fetch(List<Look> looks) {
        long begun = time.nanoTime();
        List<PartitionPage> seen = List.of();
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
    private record Look(DeliveryLoop slot, Claimer.Ahead ahead) {

        // A turn costs more than a look, so a slot has none for nothing.
        void handOver(PartitionPage seen) {
            if (seen.events().isEmpty() && seen.horizon() != PartitionPage.OTHER_NUMBERS) {
                slot.sawNothing(ahead);
            } else {
                slot.seen(ahead, seen);
            }
        }
    }
}
