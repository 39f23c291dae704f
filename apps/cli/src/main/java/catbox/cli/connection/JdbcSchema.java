package catbox.cli.connection;

import java.util.List;
import outbox.jdbc.SchemaInstaller;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/** The tables of an outbox in a relational database. */
record JdbcSchema(SchemaInstaller installer, String table) implements Schema {

    @Override
    public String print() {
        return installer.print();
    }

    @Override
    public void check() {
        installer.check();
    }

    @Override
    public List<String> missing() {
        return installer.missing().entrySet().stream()
                .map(step -> "bring table " + table + " to version " + step.getKey() + " (" + step.getValue() + ")")
                .toList();
    }

    @Override
    public SearchIndexes searchIndexes() {
        return installer.searchIndexes();
    }

    @Override
    public void migrate(boolean searchIndexes) {
        installer.install();
        if (searchIndexes) {
            installer.createSearchIndexes();
        }
    }
}
