package catbox.cli.command;

import catbox.cli.connection.Schema;
import java.util.ArrayList;
import java.util.List;
import outbox.SchemaException;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/** A schema of which a step is missing until it is migrated. */
final class CannedSchema {

    private CannedSchema() {}

    static Schema create() {
        List<String> missing = new ArrayList<>(List.of("bring table outbox_event to version 4 (operate)"));
        return new Schema(
                () -> "CREATE TABLE outbox_event ();",
                () -> {
                    if (!missing.isEmpty()) {
                        throw new SchemaException("table outbox_event is of version 3.");
                    }
                },
                () -> missing,
                () -> new SearchIndexes(true, true),
                missing::clear,
                () -> {});
    }
}
