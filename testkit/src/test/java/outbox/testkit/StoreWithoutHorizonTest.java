package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import outbox.model.Fetched;
import outbox.util.TimeSource;

class StoreWithoutHorizonTest extends StoreContract {

    @Override
    protected StoreFixture openStore() {
        return InMemoryStore.withoutHorizon(TimeSource.SYSTEM);
    }

    @Test
    void tellsNoHorizon() {
        underTest().publish(Events.any());

        assertThat(underTest().slots().fetch(0).horizon()).isEqualTo(Fetched.NO_HORIZON);
    }
}
