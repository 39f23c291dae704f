package catbox.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select events: by their ids, or by a filter. */
final class SelectionOptions {

    @Parameters(arity = "0..*", paramLabel = "ID", description = "ids of events; or select events with the options")
    private List<String> ids = new ArrayList<>();

    @Mixin
    private final FilterOptions filter = new FilterOptions();

    @Option(names = "--all", description = "every event, if no other option selects events")
    private boolean all;

    @Option(
            names = "--after",
            paramLabel = "PLACE",
            description = "continue where an earlier run ended; that run printed the place")
    @Nullable
    String after;

    boolean isByFilter() {
        return ids.isEmpty();
    }

    /** Returns a selection among settled events of any state. */
    Selection selection() {
        EventFilter typed = filter.filter();
        boolean isFiltered = !typed.equals(EventFilter.ALL);
        if (ids.isEmpty() && !isFiltered && !all) {
            throw new IllegalArgumentException(
                    "say which events: by their ids, by options such as --type or --error, or --all");
        }
        if (!ids.isEmpty() && (isFiltered || all)) {
            throw new IllegalArgumentException(
                    "ids and options that select events exclude each other; use one of them");
        }
        return ids.isEmpty() ? new Selection.Matching(typed) : new Selection.Ids(ids);
    }

    /** Returns a selection among dead events. */
    Selection dead() {
        EventFilter typed = filter.filter();
        if (typed.state() != null && typed.state() != EventFilter.State.DEAD) {
            throw new IllegalArgumentException("this can only be done to dead events; leave --state out");
        }
        return selection() instanceof Selection.Ids chosen
                ? chosen
                : new Selection.Matching(typed.withState(EventFilter.State.DEAD));
    }
}
