package outbox.admin;

import outbox.admin.Operation.Request;

/**
 * Runs the operations of one source. {@link Operation} lists all of them.
 *
 * <p>Reading is bounded, whatever the source holds. Every change is audited, and repeating it changes nothing. One
 * implementation works on a store, the other calls a server.
 */
public interface OutboxAdmin {

    /**
     * Runs an operation.
     *
     * @throws java.util.NoSuchElementException for an event, node or destination that does not exist
     * @throws IllegalArgumentException for an invalid request; the message says what is allowed
     * @throws NeedsServerException if it needs a running relay and there is none
     */
    <R> R run(Request<R> request);
}
