package outbox.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import outbox.OutboxConfig;
import outbox.PoolTooSmallException;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TestDatabase;
import outbox.jdbc.ThreadLocalTxContext;

class PoolSizeTest {

    @Test
    void aPoolSmallerThanTheWorkersIsRefusedAtStart() {
        try (TestDatabase database = TestDatabase.h2()) {
            new SchemaInstaller(database.connections()).install();
            database.dataSource().setMaximumPoolSize(3);
            assertThatThrownBy(() -> JdbcOutbox.builder(database.dataSource(), new ThreadLocalTxContext())
                            .config(new OutboxConfig().setDispatcherWorkers(4))
                            .build())
                    .isInstanceOf(PoolTooSmallException.class)
                    .hasMessageContaining("at most 3 connection(s) for 4 worker(s)")
                    .hasMessageContaining("at least 6 connections");
        }
    }

    @Test
    void aPoolThatIsLargeEnoughIsNot() {
        try (TestDatabase database = TestDatabase.h2()) {
            new SchemaInstaller(database.connections()).install();
            JdbcOutbox.builder(database.dataSource(), new ThreadLocalTxContext())
                    .build()
                    .close();
        }
    }

    @Test
    void aDataSourceThatIsNoPoolHasNoSize() {
        assertThat(PoolSize.of(new JdbcDataSource())).isEmpty();
    }
}
