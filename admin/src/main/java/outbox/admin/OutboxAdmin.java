package outbox.admin;

import outbox.admin.Operation.Request;

/**
 * What an operator can see and do of one source, under one name. {@link Operation} lists all of it.
 *
 * <p>Reading is bounded, whatever the source holds. Every change is audited, and repeating it changes nothing. There are
 * two kinds of it: one next to the store, and one that asks a server.
 */
public interface OutboxAdmin {

    /**
     * Carries out an operation.
     *
     * @throws java.util.NoSuchElementException for an event, node or destination that is not there
     * @throws IllegalArgumentException for what makes no sense; the message says what would
     * @throws NeedsServerException for what only a running relay knows or can do, where there is none
     */
    <R> R run(Request<R> request);
}
