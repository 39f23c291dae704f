package catbox.cli.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes the place of picocli's own, whose options are named as ours are. */
@Command(name = "help", description = "What a command takes.")
final class HelpCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "such as \"dead replay\"")
    private List<String> words = new ArrayList<>();

    @Override
    public void run() {
        if (spec == null) {
            throw new IllegalStateException("a command that runs belongs to a command line");
        }
        CommandLine found = spec.root().commandLine();
        for (String word : words) {
            CommandLine next = found.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(spec.commandLine(), "there is no command \"" + word + "\"");
            }
            found = next;
        }
        found.usage(found.getOut());
    }
}
