package catbox.cli.command;

import static picocli.CommandLine.ScopeType.INHERIT;

import catbox.cli.connection.TargetOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command, before or after its name. */
final class GlobalOptions {

    @Mixin
    final TargetOptions target;

    @Option(names = "--json", scope = INHERIT, description = "print JSON, for programs")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            scope = INHERIT,
            usageHelp = true,
            description = "show the parameters and options of a command")
    boolean help;

    GlobalOptions(TargetOptions target) {
        this.target = target;
    }
}
