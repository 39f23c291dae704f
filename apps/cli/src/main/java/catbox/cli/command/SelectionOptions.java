package catbox.cli.command;

import catbox.cli.output.Times;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.model.EventFilter;
import outbox.model.Selection;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which events something is done to: these, or all that match. */
final class SelectionOptions {

    @Parameters(arity = "0..*", paramLabel = "ID", description = "events by their ids; or say which with the options")
    private List<String> ids = new ArrayList<>();

    @Mixin
    private final FilterOptions filter = new FilterOptions();

    @Option(names = "--all", description = "all of them, where nothing else says which")
    private boolean all;

    @Option(names = "--after", paramLabel = "PLACE", description = "go on where an earlier run ended, as it said")
    private @Nullable String after;

    /** Where to begin; null is with the first. */
    @Nullable
    String after() {
        return after;
    }

    boolean isByFilter() {
        return ids.isEmpty();
    }

    /** What is meant, among settled events of any kind. */
    Selection selection(Times times) {
        return selection(filter.filter(times));
    }

    /** What is meant, among dead events. */
    Selection dead(Times times) {
        EventFilter typed = filter.filter(times);
        if (typed.state() != null && typed.state() != EventFilter.State.DEAD) {
            throw new IllegalArgumentException("this is done to dead events, and --state says something else");
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
                        "ids and options that say which events exclude each other; give one of them");
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
