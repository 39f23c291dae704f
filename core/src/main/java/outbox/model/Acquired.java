package outbox.model;

/**
 * A slot that was taken.
 *
 * @param deaths how many owners before this one ended, froze or were cut off, since the last that outlived its
 *     predecessors
 */
public record Acquired(SlotHold hold, int deaths) {}
