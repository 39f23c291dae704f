package catbox.contract;

import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture;
import outbox.util.TimeSource;

class RelayNumberingWithoutHorizonTest extends RelayNumberingContract {

    @Override
    protected StoreFixture openStore() {
        return InMemoryStore.withoutHorizon(TimeSource.SYSTEM);
    }
}
