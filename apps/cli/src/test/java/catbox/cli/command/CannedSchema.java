package catbox.cli.command;

import catbox.cli.place.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A schema of which a step is missing until it is migrated. */
final class CannedSchema implements Schema {

    private final List<String> missing = new ArrayList<>(List.of("bring table outbox_event to version 4 (operate)"));

    @Override
    public String print() {
        return "CREATE TABLE outbox_event ();";
    }

    @Override
    public @Nullable String problem() {
        return missing.isEmpty() ? null : "table outbox_event is of version 3.";
    }

    @Override
    public List<String> missing(boolean searchIndexes) {
        return missing;
    }

    @Override
    public void migrate(boolean searchIndexes) {
        missing.clear();
    }
}
