package catbox.server;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of the server's program.
 *
 * @param check whether only to check the file and the connections
 * @param help whether only to print the usage
 */
record CommandLine(Path config, boolean check, boolean help) {

    static final String USAGE = """
            Usage: java -jar catbox-server.jar [--config FILE] [--check]

              --config FILE  the YAML file; default: the environment variable CATBOX_CONFIG, else ./catbox.yaml
              --check        read the file, try every connection, print the result, and exit with
                             0 if all is well, 1 if the file is wrong, 2 if a connection failed
              --help         show this
            """;

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException naming the wrong argument
     */
    static CommandLine read(String[] arguments, UnaryOperator<@Nullable String> environment) {
        String file = Optional.ofNullable(environment.apply("CATBOX_CONFIG")).orElse("catbox.yaml");
        boolean check = false;
        boolean help = false;
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (argument.equals("--check")) {
                check = true;
            } else if (argument.equals("--help") || argument.equals("-h")) {
                help = true;
            } else if (argument.startsWith("--config=")) {
                file = argument.substring("--config=".length());
            } else if (argument.equals("--config") && i + 1 < arguments.length) {
                file = arguments[++i];
            } else {
                throw new IllegalArgumentException(
                        argument.equals("--config")
                                ? "--config needs a file"
                                : "unknown argument \"" + argument + "\"; there are --config FILE, --check and --help");
            }
        }
        try {
            return new CommandLine(Path.of(file), check, help);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("--config needs a file, was \"" + file + "\"", e);
        }
    }
}
