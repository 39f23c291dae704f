package catbox.cli.command;

import picocli.CommandLine.Option;

/** The options of work on many events. */
final class BulkOptions {

    @Option(names = "--dry-run", description = "only count")
    boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "do not ask")
    boolean yes;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "stop after about this many events; default: ${DEFAULT-VALUE}",
            defaultValue = "1000000")
    long max;
}
