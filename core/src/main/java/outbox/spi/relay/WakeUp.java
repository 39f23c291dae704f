package outbox.spi.relay;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Notifies relays that events were committed. It does not contain them: the owner of their partition reads the table.
 *
 * @param lanes their key hashes; empty: any lane
 */
public record WakeUp(Set<Integer> lanes) {

    public static final WakeUp ANY = new WakeUp(Set.of());

    public WakeUp {
        lanes = Collections.unmodifiableSet(
                new LinkedHashSet<>(lanes)); // A copy that keeps its order: runs must be repeatable.
    }
}
