package outbox.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * A destination whose connection can be tried without delivering anything. A relay tries it before it takes partitions,
 * so that the first event finds a connection, and every few seconds during an outage, so that it notices the end of it.
 */
public interface Checkable {

    /**
     * Connects and, where the protocol has such a thing, logs in. What it opens is kept for the deliveries that follow.
     *
     * @param timeout how long that may take, about
     * @throws outbox.OutboxException that says what is wrong, and holds no secret
     */
    void check(Duration timeout);

    /** The destination as far as it can be checked, however many others are around it; empty when it cannot be. */
    static Optional<Checkable> of(Destination destination) {
        Destination inner = destination;
        while (inner instanceof DestinationWrapper wrapper && !(inner instanceof Checkable)) {
            inner = wrapper.wrapped();
        }
        return inner instanceof Checkable checkable ? Optional.of(checkable) : Optional.empty();
    }
}
