package catbox.cli.command;

import catbox.cli.connection.Schema;
import java.util.ArrayList;
import java.util.List;
import outbox.SchemaException;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/** A schema of which a step is missing until it is migrated. */
final class CannedSchema implements Schema {

    private final List<String> missing = new ArrayList<>(List.of("bring table outbox_event to version 4 (operate)"));

    @Override
    public String print() {
        return "CREATE TABLE outbox_event ();";
    }

    @Override
    public void check() {
        if (!missing.isEmpty()) {
            throw new SchemaException("table outbox_event is of version 3.");
        }
    }

    @Override
    public List<String> missing() {
        return missing;
    }

    @Override
    public SearchIndexes searchIndexes() {
        return new SearchIndexes(true, true);
    }

    @Override
    public void migrate(boolean searchIndexes) {
        missing.clear();
    }
}
