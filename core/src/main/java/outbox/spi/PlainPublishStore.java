package outbox.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;

/** Stores events with a plain {@link EventStore}, one statement each and without claims. */
public final class PlainPublishStore implements PublishStore {

    private final TxContext txContext;
    private final EventStore eventStore;

    public PlainPublishStore(TxContext txContext, EventStore eventStore) {
        this.txContext = txContext;
        this.eventStore = eventStore;
    }

    @Override
    public boolean isTransactionActive() {
        return txContext.isTransactionActive();
    }

    @Override
    public void store(List<EventEnvelope> events, @Nullable ClaimTerms claim) {
        events.forEach(event -> eventStore.insertNew(txContext.currentConnection(), event));
    }

    @Override
    public void afterCommit(Runnable action) {
        txContext.afterCommit(action);
    }
}
