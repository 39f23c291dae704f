package outbox.spi;

import outbox.model.Claim;

/**
 * Records that one of several destinations of an event has taken it.
 *
 * @param target the destination, with the address there if the event's route names one
 */
public record Acknowledgement(Claim claim, String target) {

    /** The longest target that can be stored, in characters. */
    public static final int TARGET_CHARS_MAX = 200;
}
