package catbox.contract;

import outbox.spi.TimeSource;
import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture;

class InMemoryRelayNumberingTest extends RelayNumberingContract {

    @Override
    protected StoreFixture openStore() {
        return new InMemoryStore(TimeSource.SYSTEM);
    }
}
