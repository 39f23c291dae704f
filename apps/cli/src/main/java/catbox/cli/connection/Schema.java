package catbox.cli.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.SchemaException;
import outbox.jdbc.SchemaInstaller;
import outbox.mongodb.MongoSchema;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/**
 * The tables or collections of an outbox.
 *
 * @param print returns the statements that create everything, for another migration tool
 * @param check compares what is there with what is needed, and throws a {@link SchemaException} if they differ
 * @param missing describes each step that {@code install} would take; empty if everything is there
 * @param searchIndexes returns the optional indexes that are there
 */
public record Schema(
        Supplier<String> print,
        Runnable check,
        Supplier<List<String>> missing,
        Supplier<SearchIndexes> searchIndexes,
        Runnable install,
        Runnable createSearchIndexes) {

    static Schema of(SchemaInstaller installer, String table) {
        return new Schema(
                installer::print,
                installer::check,
                () -> installer.missing().entrySet().stream()
                        .map(step ->
                                "bring table " + table + " to version " + step.getKey() + " (" + step.getValue() + ")")
                        .toList(),
                installer::searchIndexes,
                installer::install,
                installer::createSearchIndexes);
    }

    static Schema of(MongoSchema schema, String collection) {
        return new Schema(
                () -> String.join("\n", schema.print()),
                schema::check,
                () -> {
                    String problem = problem(schema::check);
                    return problem == null
                            ? List.of()
                            : List.of("create what collection " + collection + " lacks: " + problem);
                },
                schema::searchIndexes,
                schema::install,
                schema::createSearchIndexes);
    }

    /** Returns what is missing or wrong, and what to do; null if everything is as it should be. */
    public @Nullable String problem() {
        return problem(check);
    }

    private static @Nullable String problem(Runnable check) {
        try {
            check.run();
            return null;
        } catch (SchemaException e) {
            return advice(e);
        }
    }

    /** Returns the missing steps with that of the search indexes, if these are wanted and not there. New tables have none. */
    public List<String> missing(boolean withSearchIndexes) {
        List<String> steps = new ArrayList<>(missing.get());
        if (withSearchIndexes && (!steps.isEmpty() || !searchIndexes.get().equals(new SearchIndexes(true, true)))) {
            steps.add("create the indexes for searches by key and type");
        }
        return steps;
    }

    /** Creates what is missing, on request with the indexes that only searches use. */
    public void migrate(boolean withSearchIndexes) {
        install.run();
        if (withSearchIndexes) {
            createSearchIndexes.run();
        }
    }

    /** Replaces the advice for an application with the command to run. */
    public static String advice(SchemaException wrong) {
        String message = String.valueOf(wrong.getMessage());
        int call = message.indexOf(" Call new ");
        return call < 0 ? message : message.substring(0, call) + " Run \"catbox schema migrate\".";
    }
}
