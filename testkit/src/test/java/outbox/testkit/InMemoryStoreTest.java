package outbox.testkit;

import outbox.util.TimeSource;

class InMemoryStoreTest extends StoreContract {

    @Override
    protected StoreFixture openStore() {
        return new InMemoryStore(TimeSource.SYSTEM);
    }
}
