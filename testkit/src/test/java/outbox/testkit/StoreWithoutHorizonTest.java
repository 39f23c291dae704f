package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import outbox.spi.TimeSource;
import outbox.spi.relay.Horizon;

class StoreWithoutHorizonTest extends StoreContract {

    @Override
    protected StoreFixture openStore() {
        return InMemoryStore.withoutHorizon(TimeSource.SYSTEM);
    }

    @Test
    void knowsNoHorizon() {
        underTest().publish(Events.any());

        assertThat(underTest().partitions().fetch(0).horizon()).isEqualTo(Horizon.UNKNOWN);
    }
}
