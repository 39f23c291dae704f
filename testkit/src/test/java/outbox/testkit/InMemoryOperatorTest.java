package outbox.testkit;

import outbox.util.TimeSource;

class InMemoryOperatorTest extends OperatorContract {

    @Override
    protected OperatorFixture openStore() {
        return new InMemoryStore(TimeSource.SYSTEM);
    }
}
