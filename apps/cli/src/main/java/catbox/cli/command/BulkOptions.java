package catbox.cli.command;

import picocli.CommandLine.Option;

/** The options of work on many events. */
final class BulkOptions {

    @Option(names = "--dry-run", description = "only count")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "do not ask")
    private boolean yes;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "stop after about this many events; default: ${DEFAULT-VALUE}",
            defaultValue = "1000000")
    private long max;

    boolean dryRun() {
        return dryRun;
    }

    boolean yes() {
        return yes;
    }

    long max() {
        return max;
    }
}
