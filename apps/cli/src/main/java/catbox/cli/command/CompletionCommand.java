package catbox.cli.command;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints what lets bash and zsh complete commands: source <(catbox completion)")
final class CompletionCommand implements Callable<Integer> {

    private final Desk desk;

    @Spec
    private @Nullable CommandSpec spec;

    CompletionCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        if (spec == null) {
            throw new IllegalStateException("a command that runs belongs to a command line");
        }
        desk.screen().print(AutoComplete.bash("catbox", spec.root().commandLine()));
        return ExitCode.OK;
    }
}
