package catbox.cli;

import catbox.cli.command.CommandContext;
import catbox.cli.command.CommandTree;
import catbox.cli.command.StopSignal;
import catbox.cli.connection.Targets;
import catbox.cli.output.SystemScreen;
import java.time.InstantSource;

/** The program. */
public final class Catbox {

    private Catbox() {}

    public static void main(String[] arguments) {
        CommandContext desk = new CommandContext(
                SystemScreen.open(System::getenv),
                InstantSource.system(),
                System::getenv,
                new Targets(System.getProperty("user.name", "unknown")),
                StopSignal.ofSystem());
        System.exit(CommandTree.of(desk).execute(arguments));
    }
}
