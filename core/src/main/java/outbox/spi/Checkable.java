package outbox.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * A destination whose connection can be checked without delivering an event. A relay checks it before it takes
 * partitions, so that the first event finds a connection, and every few seconds during an outage, to notice its end.
 */
public interface Checkable {

    /**
     * Connects and, if the protocol has a login, logs in. The connection stays open for the deliveries that follow.
     *
     * @param timeout about how long that may take
     * @throws outbox.OutboxException that says what is wrong, without a secret
     */
    void check(Duration timeout);

    /** The destination or the one that it wraps, if it can be checked. */
    static Optional<Checkable> of(Destination destination) {
        Destination inner = destination;
        while (inner instanceof DestinationWrapper wrapper && !(inner instanceof Checkable)) {
            inner = wrapper.wrapped();
        }
        return inner instanceof Checkable checkable ? Optional.of(checkable) : Optional.empty();
    }
}
