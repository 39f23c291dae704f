package outbox.spi.relay;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Word that events were committed. It carries none: the owner of their slot reads the table.
 *
 * @param lanes their key hashes; empty means that it may be any
 */
public record WakeUp(Set<Integer> lanes) {

    public static final WakeUp ANY = new WakeUp(Set.of());

    public WakeUp {
        lanes = Collections.unmodifiableSet(
                new LinkedHashSet<>(lanes)); // A copy that keeps its order: runs must be repeatable.
    }
}
