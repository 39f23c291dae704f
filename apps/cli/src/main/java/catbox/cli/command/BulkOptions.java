package catbox.cli.command;

import picocli.CommandLine.Option;

/** How work on many events is begun and bounded. */
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
            description = "stop after about so many events; default: ${DEFAULT-VALUE}",
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
