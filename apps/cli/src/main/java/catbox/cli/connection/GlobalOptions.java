package catbox.cli.connection;

import catbox.cli.output.Screen;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.spi.Secret;
import picocli.CommandLine.Option;

/**
 * The options of every command, before or after its name: most of them name an outbox, as environment variables can too.
 * Options win. picocli's own {@code ${env:…}} defaults cannot be used, because a typed option and one from the environment
 * would be the same: {@code --url} overrides CATBOX_DATABASE, but not {@code --database}.
 */
public final class GlobalOptions {

    private static final String URL_DEFAULT = "http://localhost:8081";
    private static final List<String> DATABASES =
            List.of("jdbc:postgresql:", "jdbc:mysql:", "jdbc:mariadb:", "jdbc:h2:", "mongodb://", "mongodb+srv://");

    private final UnaryOperator<@Nullable String> environment;
    private final Screen screen;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "the server's address; default: CATBOX_URL, else " + URL_DEFAULT)
    private @Nullable String url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "the server's token; prefer CATBOX_TOKEN or --token-file, which other users cannot see")
    private @Nullable String token;

    @Option(names = "--token-file", paramLabel = "FILE", description = "a file with the token")
    private @Nullable Path tokenFile;

    @Option(
            names = "--source",
            paramLabel = "NAME",
            description = "one of the server's sources; default: CATBOX_SOURCE, else the only source")
    private @Nullable String source;

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "a database instead of a server: jdbc:… or mongodb://…; default: CATBOX_DATABASE")
    private @Nullable String database;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description =
                    "the database user; default: CATBOX_USER. Without CATBOX_PASSWORD, catbox asks for the password")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "a file with the database password")
    private @Nullable Path passwordFile;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "the table or collection of events; default: CATBOX_TABLE, else outbox_event")
    private @Nullable String table;

    @Option(names = "--json", description = "print JSON, for programs")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show the parameters and options of a command")
    boolean help;

    public GlobalOptions(UnaryOperator<@Nullable String> environment, Screen screen) {
        this.environment = environment;
        this.screen = screen;
    }

    public boolean isJson() {
        return json;
    }

    /**
     * Returns the server or the database that is meant.
     *
     * @throws IllegalArgumentException whose message says what is allowed
     */
    public Target target() {
        if (url != null && database != null) {
            throw new IllegalArgumentException(
                    "--url and --database exclude each other: name a server or a database, not both");
        }
        Optional<String> server = option(url, database == null ? "CATBOX_URL" : null);
        Optional<String> direct = option(database, url == null ? "CATBOX_DATABASE" : null);
        if (server.isPresent() && direct.isPresent()) {
            throw new IllegalArgumentException(
                    "CATBOX_URL and CATBOX_DATABASE are both set: choose one with --url or --database");
        }
        return direct.isPresent() ? database(direct.get()) : server(server.orElse(URL_DEFAULT));
    }

    /** Returns the database that is meant; a server is refused. */
    public Target.Database database() {
        if (target() instanceof Target.Database direct) {
            return direct;
        }
        throw new IllegalArgumentException(
                "this command needs a database: name it with --database or CATBOX_DATABASE, by an address that begins with "
                        + String.join(", ", DATABASES));
    }

    /** Returns the table of events. */
    public String table() {
        return option(table, "CATBOX_TABLE").orElse(TableNames.DEFAULT.event());
    }

    private Target.Server server(String text) {
        try {
            URI address = new URI(text.replaceFirst("/+$", ""));
            if (address.getHost() != null && List.of("http", "https").contains(address.getScheme())) {
                return new Target.Server(
                        address,
                        secret("--token-file", token, tokenFile, "CATBOX_TOKEN"),
                        option(source, "CATBOX_SOURCE"));
            }
        } catch (URISyntaxException e) {
            // It is not an address: see below.
        }
        throw new IllegalArgumentException(
                "--url must be the address of a server, such as " + URL_DEFAULT + "; was \"" + text + "\"");
    }

    private Target.Database database(String address) {
        if (source != null) {
            throw new IllegalArgumentException("--source needs a server; with a database use --table");
        }
        if (DATABASES.stream().noneMatch(address::startsWith)) {
            throw new IllegalArgumentException("--database must begin with " + String.join(", ", DATABASES) + "; was \""
                    + address.split("[:/]", 2)[0] + "…\"");
        }
        String name = option(user, "CATBOX_USER").orElse("");
        return new Target.Database(address, name, password(address, name), table());
    }

    private Optional<Secret> password(String address, String name) {
        Optional<Secret> given = secret("--password-file", null, passwordFile, "CATBOX_PASSWORD");
        Screen.Keyboard keyboard = screen.keyboard();
        if (given.isPresent() || name.isEmpty() || keyboard == null || address.contains("password=")) {
            return given;
        }
        return keyboard.ask("Password of " + name + ": ", true)
                .filter(typed -> !typed.isEmpty())
                .map(Secret::new);
    }

    private Optional<Secret> secret(String option, @Nullable String typed, @Nullable Path file, String variable) {
        if (file == null) {
            return option(typed, variable).map(Secret::new);
        }
        try {
            String content = Files.readString(file).strip();
            if (content.isEmpty()) {
                throw new IllegalArgumentException(option + " names an empty file: " + file);
            }
            return Optional.of(new Secret(content));
        } catch (IOException e) {
            throw new IllegalArgumentException(option + " names a file that cannot be read: " + file, e);
        }
    }

    private Optional<String> option(@Nullable String typed, @Nullable String variable) {
        String text = typed == null && variable != null ? environment.apply(variable) : typed;
        return Optional.ofNullable(text).map(String::strip).filter(found -> !found.isEmpty());
    }
}
