package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutboxRepository;

class SeveralDataSourcesIT {

    private TestDatabase ours;
    private final RecordingHotPath hotPath = new RecordingHotPath();

    @BeforeEach
    void open() {
        ours = new TestDatabase();
    }

    @AfterEach
    void close() {
        ours.close();
    }

    @Test
    void refusesATransactionOfAnotherDataSource() {
        try (TestDatabase other = new TestDatabase()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> publish(ours.dataSource, other.dataSource))
                    .withMessageContaining("is not on the outbox's DataSource")
                    .withMessageContaining("not be atomic");
        }
        assertThat(ours.stored()).isEmpty();
    }

    @Test
    void refusesATransactionOfAnotherDataSourceAlsoIfItUsedTheOutboxsDataSource() {
        try (TestDatabase other = new TestDatabase()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> inTransaction(other.dataSource, () -> {
                        new JdbcTemplate(ours.dataSource).queryForObject("SELECT 1", Integer.class);
                        client(ours.dataSource).publish(EventEnvelope.ofJson("A", "{}"));
                    }))
                    .withMessageContaining("is not on the outbox's DataSource");
        }
        assertThat(ours.stored()).isEmpty();
    }

    @Test
    void acceptsALazyProxyOfTheManagersDataSource() {
        publish(new LazyConnectionDataSourceProxy(ours.dataSource), ours.dataSource);
        publish(ours.dataSource, new LazyConnectionDataSourceProxy(ours.dataSource));
        DataSource lazy = new LazyConnectionDataSourceProxy(ours.dataSource);
        publish(lazy, lazy);

        assertThat(ours.stored()).hasSize(3);
        assertThat(hotPath.types).hasSize(3);
    }

    @Test
    void acceptsATransactionAwareProxyOfTheManagersDataSource() {
        publish(new TransactionAwareDataSourceProxy(ours.dataSource), ours.dataSource);
        publish(ours.dataSource, new TransactionAwareDataSourceProxy(ours.dataSource));

        assertThat(ours.stored()).hasSize(2);
        assertThat(hotPath.types).hasSize(2);
    }

    private void publish(DataSource ofTheOutbox, DataSource ofTheManager) {
        inTransaction(ofTheManager, () -> client(ofTheOutbox).publish(EventEnvelope.ofJson("A", "{}")));
    }

    private static void inTransaction(DataSource dataSource, Runnable work) {
        new TransactionTemplate(new JdbcTransactionManager(dataSource)).executeWithoutResult(status -> work.run());
    }

    private OutboxClient client(DataSource dataSource) {
        return new OutboxClient(new JdbcOutboxRepository().publisher(new SpringTxContext(dataSource)), hotPath);
    }
}
