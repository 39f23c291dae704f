package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import outbox.spi.OperatorStore.SearchIndexes;

class PostgresOperatorStatementsIT extends OperatorStatements {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }

    @Test
    void anIndexWhoseMakingBrokeOffIsMadeAnew() {
        try (TestDatabase database = openDatabase()) {
            SchemaInstaller installer = new SchemaInstaller(database.connections());
            installer.install();
            installer.searchIndexes().create();
            database.execute("UPDATE pg_index SET indisvalid = false"
                    + " WHERE indexrelid = 'outbox_event_search_key'::regclass");
            assertThat(installer.searchIndexes().present()).isEqualTo(new SearchIndexes(false, true));
            installer.searchIndexes().create();
            assertThat(installer.searchIndexes().present()).isEqualTo(new SearchIndexes(true, true));
        }
    }
}
