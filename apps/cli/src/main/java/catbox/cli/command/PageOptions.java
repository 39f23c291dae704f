package catbox.cli.command;

import catbox.cli.output.Json;
import catbox.cli.output.Lines;
import catbox.cli.output.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that print pages of a long list. */
final class PageOptions {

    private static final int PAGE_MAX = 1_000;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "entries on a page; default: ${DEFAULT-VALUE}",
            defaultValue = "50")
    int limit;

    @Option(names = "--all", description = "print every page; with --json one line for each entry")
    boolean all;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "entries after which --all stops; default: ${DEFAULT-VALUE}",
            defaultValue = "10000")
    private int max;

    /** A page of a list, and where the next one begins; null after the last page. */
    record Page<T, C>(List<T> entries, @Nullable C next) {}

    interface Source<T, C> {
        Page<T, C> page(@Nullable C from, int limit);
    }

    /** Prints pages up to the maximum, and returns how many entries they had. */
    <T, C> int printAll(
            CommandContext desk, Table<T> table, @Nullable C from, String noun, String hint, Source<T, C> source) {
        int printed = 0;
        C next = from;
        do {
            Page<T, C> page = source.page(next, Math.clamp(max - printed, 1, PAGE_MAX));
            if (desk.options().json) {
                page.entries().forEach(entry -> Json.line(desk.screen(), entry));
            } else {
                desk.print(page.entries(), null, table);
            }
            printed += page.entries().size();
            next = page.next();
        } while (next != null && printed < max);
        if (next != null) {
            desk.screen().say("stopped after " + Lines.counted(printed, noun) + hint + Lines.argument(next.toString()));
        }
        return printed;
    }
}
