package catbox.cli;

import catbox.cli.command.CommandContext;
import catbox.cli.command.CommandTree;
import catbox.cli.command.StopSignal;
import catbox.cli.connection.GlobalOptions;
import catbox.cli.connection.Targets;
import catbox.cli.output.Screen;
import java.time.InstantSource;

/** The program. */
public final class Catbox {

    private Catbox() {}

    public static void main(String[] arguments) {
        Screen screen = Screen.ofSystem(System::getenv);
        CommandContext context = new CommandContext(
                new GlobalOptions(System::getenv, screen),
                screen,
                InstantSource.system(),
                new Targets(System.getProperty("user.name", "unknown")),
                StopSignal.ofSystem());
        System.exit(CommandTree.of(context).execute(arguments));
    }
}
