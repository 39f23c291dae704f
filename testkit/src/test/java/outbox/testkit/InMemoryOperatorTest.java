package outbox.testkit;

import outbox.spi.TimeSource;

class InMemoryOperatorTest extends OperatorContract {

    @Override
    protected OperatorFixture openStore() {
        return new InMemoryStore(TimeSource.SYSTEM);
    }
}
