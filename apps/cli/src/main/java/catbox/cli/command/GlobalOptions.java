package catbox.cli.command;

import catbox.cli.place.PlaceReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program itself, and the options that every command has, before or behind its name. */
@Command(
        name = "catbox",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = "Operates an outbox, through a server or directly on its database.",
        optionListHeading = "%nOptions of every command, before or behind its name:%n",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Exit codes: 0 ok, 1 something is wrong or was not found, 2 wrong usage, 3 cannot reach,",
            "4 refused, 5 not possible, 130 stopped by Ctrl-C."
        })
public final class GlobalOptions implements PlaceReader.Given, Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--url",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "a server; else CATBOX_URL, else " + PlaceReader.URL_DEFAULT)
    private @Nullable String url;

    @Option(
            names = "--token",
            scope = ScopeType.INHERIT,
            paramLabel = "TOKEN",
            description = "for the server; better CATBOX_TOKEN or --token-file, which other users do not see")
    private @Nullable String token;

    @Option(names = "--token-file", scope = ScopeType.INHERIT, paramLabel = "FILE", description = "holds the token")
    private @Nullable Path tokenFile;

    @Option(
            names = "--source",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description = "of the server's sources; else CATBOX_SOURCE, else the only one")
    private @Nullable String source;

    @Option(
            names = "--database",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "instead of a server: jdbc:… or mongodb://…; else CATBOX_DATABASE")
    private @Nullable String database;

    @Option(
            names = "--user",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description = "of the database; else CATBOX_USER. Its password: CATBOX_PASSWORD, or it is asked for")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "holds the database's password")
    private @Nullable Path passwordFile;

    @Option(
            names = "--table",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description = "of events in the database; else CATBOX_TABLE, else outbox_event")
    private @Nullable String table;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "for programs")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "show what a command takes")
    private boolean help;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "say what to do: a command is missing");
        }
    }

    public boolean json() {
        return json;
    }

    public boolean help() {
        return help;
    }

    @Override
    public @Nullable String url() {
        return url;
    }

    @Override
    public @Nullable String token() {
        return token;
    }

    @Override
    public @Nullable Path tokenFile() {
        return tokenFile;
    }

    @Override
    public @Nullable String database() {
        return database;
    }

    @Override
    public @Nullable String user() {
        return user;
    }

    @Override
    public @Nullable Path passwordFile() {
        return passwordFile;
    }

    @Override
    public @Nullable String table() {
        return table;
    }

    @Override
    public @Nullable String source() {
        return source;
    }
}
