package catbox.verification;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs as they are shipped. Other modules build them, before this one. */
final class Jars {

    static final Path COMMAND_LINE = Path.of("../../apps/cli/target/catbox-cli.jar");
    static final Path SERVER = Path.of("../../apps/server/target/catbox-server.jar");
    static final Path ORDER_SERVICE = Path.of("../../examples/order-service/target/order-service.jar");

    private Jars() {}

    static List<String> command(Path jar, String... arguments) {
        if (!Files.exists(jar)) {
            throw new IllegalStateException(
                    jar.toAbsolutePath().normalize() + " is missing: build it first, as ./catbox test does");
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:TieredStopAtLevel=1", // They start faster, and live for seconds.
                "-jar",
                jar.toAbsolutePath().normalize().toString()));
        command.addAll(List.of(arguments));
        return command;
    }
}
