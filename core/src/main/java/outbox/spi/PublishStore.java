package outbox.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;

/** Stores events in the transaction of the calling thread. */
public interface PublishStore {

    boolean isTransactionActive();

    /**
     * Stores the events as one batch, all or none, in list order, in the current transaction.
     *
     * @param claim claims the rows for the publisher, so that no other instance takes them while they are on the hot
     *     path; null leaves them unclaimed. An event with {@link EventEnvelope#availableAt()} is always left unclaimed,
     *     because it does not use the hot path.
     * @throws outbox.DuplicateEventException when an event id is already stored
     */
    void store(List<EventEnvelope> events, @Nullable ClaimTerms claim);

    /** Runs the action once the current transaction has committed, and not otherwise. */
    void afterCommit(Runnable action);
}
