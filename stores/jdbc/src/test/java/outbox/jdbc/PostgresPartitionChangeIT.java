package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import outbox.jdbc.internal.relay.JdbcClusterAdmin;
import outbox.jdbc.internal.schema.PartitionIndexes;

class PostgresPartitionChangeIT extends PartitionChange {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }

    @Test
    void anIndexThatBrokeOffIsMadeAnew() {
        JdbcClusterAdmin admin = new JdbcClusterAdmin(database.connections(), TableNames.DEFAULT);
        admin.changePartitions(12, "test");
        database.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'outbox_event_p12'::regclass");
        PartitionIndexes indexes = new PartitionIndexes(database.connections(), TableNames.DEFAULT);
        assertThat(indexes.all()).containsExactly(6);
        admin.changePartitions(12, "test");
        assertThat(indexes.all()).containsExactly(6, 12);
    }
}
