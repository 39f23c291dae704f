package outbox.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;

/** A {@link PublishStore} from the JDBC face: the transaction's own connection and an {@link EventStore}. */
public final class JdbcPublishStore implements PublishStore {

    private final TxContext txContext;
    private final EventStore eventStore;

    public JdbcPublishStore(TxContext txContext, EventStore eventStore) {
        this.txContext = txContext;
        this.eventStore = eventStore;
    }

    @Override
    public boolean isTransactionActive() {
        return txContext.isTransactionActive();
    }

    @Override
    public void store(List<EventEnvelope> events, @Nullable ClaimTerms claim) {
        if (eventStore instanceof ClaimingEventStore claiming) {
            claiming.insertNew(txContext.currentConnection(), events, claim);
        } else {
            events.forEach(event -> eventStore.insertNew(txContext.currentConnection(), event));
        }
    }

    @Override
    public void afterCommit(Runnable action) {
        txContext.afterCommit(action);
    }
}
