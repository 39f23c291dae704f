package outbox.internal;

import java.util.HashMap;
import java.util.Map;

/**
 * In which numbering the reader of each slot has begun, as a store sees it. Numbers that go back make another numbering, in
 * which a bound of the former one means nothing.
 *
 * <p>A look from the beginning says no more than that its answer may become the reader's bound. Its answer may be lost, or
 * be handed over late, behind that of a younger look. So a slot that was read from its beginning in two numberings is in
 * doubt: at its next bound the reader is sent back to the beginning, whichever of the two it has.
 *
 * <p>Not for several threads.
 */
public final class Numberings<N> {

    private final Map<Integer, Begun<N>> slots = new HashMap<>();

    private enum Certainty {
        CERTAIN,
        IN_DOUBT,
        SENT_BACK
    }

    private record Begun<N>(N numbering, Certainty certainty) {}

    /**
     * A slot was read from its beginning.
     *
     * @return whether it had been read in another numbering, whose events its reader may still have in memory
     */
    public boolean begun(int slot, N numbering) {
        Begun<N> before = slots.get(slot);
        boolean isCertain = before == null
                || before.certainty() == Certainty.SENT_BACK
                || before.equals(new Begun<>(numbering, Certainty.CERTAIN));
        slots.put(slot, new Begun<>(numbering, isCertain ? Certainty.CERTAIN : Certainty.IN_DOUBT));
        return before != null && before.certainty() == Certainty.CERTAIN && !isCertain;
    }

    /** Whether a bound that the reader of a slot has may be of another numbering. */
    public boolean isOther(int slot, N numbering) {
        Begun<N> begun = slots.get(slot);
        return begun != null && !begun.equals(new Begun<>(numbering, Certainty.CERTAIN));
    }

    /** The reader of a slot is sent back to the beginning, and again until it has begun anew: an answer may be lost. */
    public void sentBack(int slot) {
        slots.computeIfPresent(slot, (number, begun) -> new Begun<>(begun.numbering(), Certainty.SENT_BACK));
    }
}
