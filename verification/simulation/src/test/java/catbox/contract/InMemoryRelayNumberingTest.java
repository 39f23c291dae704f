package catbox.contract;

import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture;
import outbox.util.TimeSource;

class InMemoryRelayNumberingTest extends RelayNumberingContract {

    @Override
    protected StoreFixture openStore() {
        return new InMemoryStore(TimeSource.SYSTEM);
    }
}
