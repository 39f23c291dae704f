package catbox.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "version", description = "The version of this program, and the Java that it runs on.")
final class VersionCommand implements Callable<Integer> {

    private final Desk desk;

    VersionCommand(Desk desk) {
        this.desk = desk;
    }

    /** As programs read it. */
    record Version(String catbox, String java) {}

    @Override
    public Integer call() {
        String packaged = VersionCommand.class.getPackage().getImplementationVersion();
        Version version = new Version(
                packaged == null ? "unpackaged" : packaged, Runtime.version().toString());
        return desk.show(
                version, () -> desk.screen().print("catbox " + version.catbox() + ", on Java " + version.java()));
    }
}
