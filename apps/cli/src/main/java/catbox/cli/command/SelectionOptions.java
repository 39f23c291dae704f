package catbox.cli.command;

import catbox.cli.output.Times;
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
            description = "continue where an earlier run ended, as printed by it")
    private @Nullable String after;

    /** Returns where to continue; null begins with the first event. */
    @Nullable
    String after() {
        return after;
    }

    boolean isByFilter() {
        return ids.isEmpty();
    }

    /** Returns a selection among settled events of any state. */
    Selection selection(Times times) {
        return selection(filter.filter(times));
    }

    /** Returns a selection among dead events. */
    Selection dead(Times times) {
        EventFilter typed = filter.filter(times);
        if (typed.state() != null && typed.state() != EventFilter.State.DEAD) {
            throw new IllegalArgumentException("this can only be done to dead events; leave --state out");
        }
        Selection selection = selection(typed);
        return selection instanceof Selection.Matching
                ? new Selection.Matching(typed.withState(EventFilter.State.DEAD))
                : selection;
    }

    private Selection selection(EventFilter typed) {
        boolean isFiltered = !typed.equals(EventFilter.ALL);
        if (!ids.isEmpty()) {
            if (isFiltered || all) {
                throw new IllegalArgumentException(
                        "ids and options that select events exclude each other; use one of them");
            }
            return new Selection.Ids(ids);
        }
        if (!isFiltered && !all) {
            throw new IllegalArgumentException(
                    "say which events: by their ids, by options such as --type or --error, or --all");
        }
        return new Selection.Matching(typed);
    }
}
