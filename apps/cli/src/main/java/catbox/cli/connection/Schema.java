package catbox.cli.connection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.SchemaException;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/** The tables or collections of an outbox. */
public interface Schema {

    /** Returns the statements that create everything, for another migration tool. */
    String print();

    /**
     * Compares what is there with what is needed.
     *
     * @throws SchemaException if something is missing or wrong
     */
    void check();

    /** Returns a description of each step that {@link #migrate} would take; empty if everything is there. */
    List<String> missing();

    /** Returns the optional indexes that are there. */
    SearchIndexes searchIndexes();

    /** Creates what is missing, on request with the indexes that only searches use. */
    void migrate(boolean searchIndexes);

    /** Returns what is missing or wrong, and what to do; null if everything is as it should be. */
    default @Nullable String problem() {
        try {
            check();
            return null;
        } catch (SchemaException e) {
            return advice(e);
        }
    }

    /** Returns the steps with that of the search indexes, if these are wanted and not there. New tables have none. */
    default List<String> missing(boolean searchIndexes) {
        List<String> steps = new ArrayList<>(missing());
        if (searchIndexes && (!steps.isEmpty() || !searchIndexes().equals(new SearchIndexes(true, true)))) {
            steps.add("make the indexes of searches by key and by type");
        }
        return steps;
    }

    /** Replaces the advice for an application with the command to run. */
    static String advice(SchemaException wrong) {
        String message = String.valueOf(wrong.getMessage());
        int call = message.indexOf(" Call new ");
        return call < 0 ? message : message.substring(0, call) + " Run \"catbox schema migrate\".";
    }
}
