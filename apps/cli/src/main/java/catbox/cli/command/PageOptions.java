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
    private int limit;

    @Option(names = "--all", description = "print every page; with --json one line for each entry")
    private boolean all;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "entries after which --all stops; default: ${DEFAULT-VALUE}",
            defaultValue = "10000")
    private int max;

    /**
     * A page of a list.
     *
     * @param answer what --json prints
     * @param none what to print if there are no entries
     * @param hint why there is a next page, and the option that continues with it
     * @param next where the next page begins; null after the last page
     */
    record Page<T, C>(
            Object answer,
            List<T> entries,
            String none,
            String hint,
            @Nullable C next) {}

    interface Source<T, C> {
        Page<T, C> page(@Nullable C from, int limit);
    }

    /** Prints one page or, on request, all of them; fails if there are no entries. */
    <T, C> int print(CommandContext context, Table<T> table, String noun, @Nullable C from, Source<T, C> source) {
        if (all) {
            return printAll(context, table, noun, from, source);
        }
        Page<T, C> page = source.page(from, limit);
        context.show(page.answer(), () -> table.print(context.screen(), page.entries(), page.none()));
        if (page.next() != null && !context.options().isJson()) {
            context.screen().say(howToContinue(page) + ", or --all");
        }
        return page.entries().isEmpty() && page.next() == null ? ExitCode.WRONG : ExitCode.OK;
    }

    private <T, C> int printAll(
            CommandContext context, Table<T> table, String noun, @Nullable C from, Source<T, C> source) {
        int printed = 0;
        Page<T, C> page;
        C next = from;
        do {
            page = source.page(next, Math.clamp(max - printed, 1, PAGE_MAX));
            if (context.options().isJson()) {
                page.entries().forEach(entry -> Json.line(context.screen(), entry));
            } else if (!page.entries().isEmpty()) {
                table.print(context.screen(), page.entries());
            }
            printed += page.entries().size();
            next = page.next();
        } while (next != null && printed < max);
        if (next != null) {
            context.screen().say("stopped after " + Lines.counted(printed, noun) + "; " + howToContinue(page));
        }
        return printed == 0 ? ExitCode.WRONG : ExitCode.OK;
    }

    private static String howToContinue(Page<?, ?> page) {
        return page.hint() + " " + Lines.argument(String.valueOf(page.next()));
    }
}
