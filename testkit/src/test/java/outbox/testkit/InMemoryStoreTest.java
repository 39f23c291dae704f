package outbox.testkit;

import outbox.spi.TimeSource;

class InMemoryStoreTest extends StoreContract {

    @Override
    protected StoreFixture openStore() {
        return new InMemoryStore(TimeSource.SYSTEM);
    }
}
