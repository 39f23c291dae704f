package outbox.testkit;

import outbox.spi.AdminStore;
import outbox.spi.DispatchStore;
import outbox.spi.PublishStore;
import outbox.spi.RetentionStore;
import outbox.spi.StatisticsStore;
import outbox.util.TimeSource;

/**
 * A store without a database, which keeps every promise of the ports: an insert takes its place in the order at
 * once, is seen by nobody before its commit and is gone after a rollback; claims exclude each other and expire.
 *
 * <p>Its clock is the {@link TimeSource} it is given, so a test that moves {@link ManualTime} expires leases and
 * brings delayed events due. Sessions are independent, and any number may be open on one thread. Everything but a
 * single session may be used by any number of threads.
 */
public final class InMemoryStore implements StoreFixture {

    private final Table table;
    private final InMemoryDispatch dispatch;
    private final InMemoryAdmin admin;
    private final InMemoryUpkeep upkeep;

    /** An empty store whose clock is the given one. */
    public InMemoryStore(TimeSource clock) {
        this.table = new Table(clock);
        this.dispatch = new InMemoryDispatch(table);
        this.admin = new InMemoryAdmin(table);
        this.upkeep = new InMemoryUpkeep(table);
    }

    /** A session of its own; its {@link Session#store()} is the {@link PublishStore} to publish with. */
    @Override
    public Session newSession() {
        return new InMemorySession(table);
    }

    @Override
    public DispatchStore dispatchStore() {
        return dispatch;
    }

    @Override
    public AdminStore adminStore() {
        return admin;
    }

    @Override
    public StatisticsStore statisticsStore() {
        return upkeep;
    }

    @Override
    public RetentionStore retentionStore() {
        return upkeep;
    }

    @Override
    public void corruptHeaders(String eventId, String headersText) {
        boolean found = table.atomically(() -> {
            Row row = table.find(eventId);
            if (row != null) {
                table.replace(row.withHeaders(headersText));
            }
            return row != null;
        });
        if (!found) {
            throw new IllegalArgumentException("no committed event has the id " + eventId);
        }
    }

    /** Nothing to close; the events stay readable. */
    @Override
    public void close() {}
}
