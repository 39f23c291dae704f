package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.FakeConnection;
import outbox.model.ClaimTerms;

final class PlainPublishStoreTest {

    private final Connection conn = new FakeConnection().connection;
    private final FakeEventStore plain = new FakeEventStore();

    @Test
    void storesEventsOneByOneAndKnowsNoClaim() {
        new PlainPublishStore(new InTransaction(conn), plain)
                .store(List.of(event("e-1"), event("e-2")), new ClaimTerms("token", Duration.ofSeconds(30)));

        assertThat(plain.calls).containsExactly("insert e-1", "insert e-2");
        assertThat(plain.connections)
                .hasSize(2)
                .allSatisfy(used -> assertThat(used).isSameAs(conn));
    }

    private static EventEnvelope event(String eventId) {
        return EventEnvelope.builder("A").eventId(eventId).payloadJson("{}").build();
    }

    private record InTransaction(Connection currentConnection) implements TxContext {

        @Override
        public boolean isTransactionActive() {
            return true;
        }

        @Override
        public void afterCommit(Runnable callback) {}

        @Override
        public void afterRollback(Runnable callback) {}
    }
}
