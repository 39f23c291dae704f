package outbox.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.spi.PublishStore;

/** A connection to the store in memory. Like any connection it serves one thread at a time. */
final class InMemorySession implements StoreFixture.Session {

    private final Table table;
    private final PublishStore store = new Publishing();
    private final List<String> inserted = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private boolean active;

    InMemorySession(Table table) {
        this.table = table;
    }

    @Override
    public PublishStore store() {
        return store;
    }

    @Override
    public void begin() {
        if (active) {
            throw new IllegalStateException("a transaction is active on this session; commit or roll it back first");
        }
        active = true;
    }

    @Override
    public void commit() {
        requireActive("commit");
        table.change(() -> table.commit(inserted));
        List<Runnable> actions = List.copyOf(afterCommit);
        end();
        // Outside the lock and outside the transaction: an action may well use the store.
        actions.forEach(Runnable::run);
    }

    @Override
    public void rollback() {
        requireActive("roll back");
        table.change(() -> table.rollback(inserted));
        end();
    }

    @Override
    public void close() {
        if (active) {
            rollback();
        }
    }

    private void end() {
        active = false;
        inserted.clear();
        afterCommit.clear();
    }

    private void requireActive(String attempted) {
        if (!active) {
            throw new IllegalStateException("cannot " + attempted + ": no transaction is active on this session");
        }
    }

    /** The session's transaction, as a publisher sees it. */
    private final class Publishing implements PublishStore {

        @Override
        public boolean isTransactionActive() {
            return active;
        }

        @Override
        public void store(List<EventEnvelope> events, @Nullable ClaimTerms claim) {
            requireActive("store");
            table.change(() -> table.insert(events, claim));
            events.forEach(event -> inserted.add(event.eventId()));
        }

        @Override
        public void afterCommit(Runnable action) {
            requireActive("register an action");
            afterCommit.add(action);
        }
    }
}
