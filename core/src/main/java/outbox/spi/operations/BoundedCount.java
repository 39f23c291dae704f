package outbox.spi.operations;

/**
 * A count that stops at a limit or when it becomes too expensive.
 *
 * @param more whether there are, or may be, more than counted
 */
public record BoundedCount(long counted, boolean more) {

    @Override
    public String toString() {
        return more ? "more than " + counted : Long.toString(counted);
    }
}
