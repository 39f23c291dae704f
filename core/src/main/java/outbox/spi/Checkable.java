package outbox.spi;

import java.time.Duration;

/** A destination that can be tried without delivering anything, as far as its protocol allows. */
public interface Checkable {

    /**
     * Reaches the place and, where there is such a thing, logs in.
     *
     * @param timeout how long that may take, about
     * @throws outbox.OutboxException that says what is wrong, and holds no secret
     */
    void check(Duration timeout);
}
