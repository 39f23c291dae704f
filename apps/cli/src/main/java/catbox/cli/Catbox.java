package catbox.cli;

import catbox.cli.command.CommandTree;
import catbox.cli.command.Desk;
import catbox.cli.command.StopSignal;
import catbox.cli.output.SystemScreen;
import catbox.cli.place.Places;
import java.time.InstantSource;

/** The program. */
public final class Catbox {

    private Catbox() {}

    public static void main(String[] arguments) {
        Desk desk = new Desk(
                SystemScreen.open(System::getenv),
                InstantSource.system(),
                System::getenv,
                new Places(System.getProperty("user.name", "unknown")),
                StopSignal.ofSystem());
        System.exit(CommandTree.of(desk).execute(arguments));
    }
}
