package catbox.cli.place;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.SchemaException;
import outbox.jdbc.SchemaInstaller;
import outbox.spi.ConnectionProvider;
import outbox.spi.OperatorStore.SearchIndexes;

/** The tables of an outbox in a relational database. */
final class JdbcSchema implements Schema {

    private final SchemaInstaller installer;
    private final String table;

    JdbcSchema(Place.Jdbc place, ConnectionProvider connections) {
        this.installer = new SchemaInstaller(connections, place.tables());
        this.table = place.tables().event();
    }

    @Override
    public String print() {
        return installer.print();
    }

    @Override
    public @Nullable String problem() {
        try {
            installer.check();
            return null;
        } catch (SchemaException e) {
            return Schema.advice(e);
        }
    }

    @Override
    public List<String> missing(boolean searchIndexes) {
        List<String> steps = new ArrayList<>();
        installer
                .missing()
                .forEach((version, title) ->
                        steps.add("bring table " + table + " to version " + version + " (" + title + ")"));
        // Asked of tables that are there; new ones have none.
        if (searchIndexes
                && (!steps.isEmpty() || !areWhole(installer.searchIndexes().present()))) {
            steps.add("make the indexes of searches by key and by type");
        }
        return steps;
    }

    private static boolean areWhole(SearchIndexes present) {
        return present.byKey() && present.byType();
    }

    @Override
    public void migrate(boolean searchIndexes) {
        installer.install();
        if (searchIndexes) {
            installer.searchIndexes().create();
        }
    }
}
