package catbox.cli.command;

import picocli.CommandLine.Option;

/** The reason that some changes require. */
final class ReasonOption {

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "shown in the audit log, and where a pause is shown")
    String text = "";
}
