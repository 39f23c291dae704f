package catbox.contract;

import outbox.spi.TimeSource;
import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture;

class RelayNumberingWithoutHorizonTest extends RelayNumberingContract {

    @Override
    protected StoreFixture openStore() {
        return InMemoryStore.withoutHorizon(TimeSource.SYSTEM);
    }
}
