package outbox.model;

/**
 * A count that stopped at a limit.
 *
 * @param more whether there are more than counted
 */
public record BoundedCount(long counted, boolean more) {

    @Override
    public String toString() {
        return more ? "more than " + counted : Long.toString(counted);
    }
}
