package catbox.cli.place;

import catbox.cli.output.Screen;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.util.Secret;

/** Finds out from options and environment where to look. Options win. */
public record PlaceReader(UnaryOperator<@Nullable String> environment, Screen screen) {

    public static final String URL_DEFAULT = "http://localhost:8081";

    static final List<String> JDBC = List.of("jdbc:postgresql:", "jdbc:mysql:", "jdbc:mariadb:", "jdbc:h2:");
    static final List<String> MONGO = List.of("mongodb://", "mongodb+srv://");

    /** What was typed; null for what was not. */
    public interface Given {

        @Nullable
        String url();

        @Nullable
        String token();

        @Nullable
        Path tokenFile();

        @Nullable
        String database();

        @Nullable
        String user();

        @Nullable
        Path passwordFile();

        @Nullable
        String table();

        @Nullable
        String source();
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException that says what is allowed
     */
    public Place read(Given given) {
        if (given.url() != null && given.database() != null) {
            throw new IllegalArgumentException("--url and --database exclude each other: ask a server or a database");
        }
        Optional<String> url = option(given.url(), given.database() == null ? "CATBOX_URL" : null);
        Optional<String> database = option(given.database(), given.url() == null ? "CATBOX_DATABASE" : null);
        if (url.isPresent() && database.isPresent()) {
            throw new IllegalArgumentException(
                    "CATBOX_URL and CATBOX_DATABASE are both set: name the one that is meant with --url or --database");
        }
        return database.isPresent() ? database(database.get(), given) : server(url.orElse(URL_DEFAULT), given);
    }

    /** Where a database is, which a server cannot stand in for. */
    public Place readDatabase(Given given) {
        if (read(given) instanceof Place.Server) {
            throw new IllegalArgumentException("this works on a database alone: name it with --database"
                    + " (jdbc:postgresql://…, jdbc:mysql://…, jdbc:mariadb://…, jdbc:h2:…, mongodb://…) or"
                    + " CATBOX_DATABASE");
        }
        return read(given);
    }

    private Place server(String text, Given given) {
        URI url;
        try {
            url = URI.create(text.replaceFirst("/+$", ""));
        } catch (IllegalArgumentException e) {
            throw wrongUrl(text);
        }
        if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
            throw wrongUrl(text);
        }
        return new Place.Server(
                url,
                secret("--token-file", given.token(), given.tokenFile(), "CATBOX_TOKEN"),
                option(given.source(), "CATBOX_SOURCE"));
    }

    private static IllegalArgumentException wrongUrl(String text) {
        return new IllegalArgumentException(
                "--url must be the address of a server, such as " + URL_DEFAULT + "; was \"" + text + "\"");
    }

    private Place database(String url, Given given) {
        if (given.source() != null) {
            throw new IllegalArgumentException("--source is of a server; in a database it is --table");
        }
        boolean isMongo = MONGO.stream().anyMatch(url::startsWith);
        if (!isMongo && JDBC.stream().noneMatch(url::startsWith)) {
            throw new IllegalArgumentException("--database must begin with " + String.join(", ", JDBC) + " or "
                    + String.join(", ", MONGO) + "; was \"" + url.split("[:/]", 2)[0] + "…\"");
        }
        String user = option(given.user(), "CATBOX_USER").orElse("");
        Optional<Secret> password = password(url, user, given);
        String table = option(given.table(), "CATBOX_TABLE").orElse(TableNames.DEFAULT.event());
        return isMongo
                ? new Place.Mongo(url, user, password, table)
                : new Place.Jdbc(url, user, password, new TableNames(table));
    }

    private Optional<Secret> password(String url, String user, Given given) {
        Optional<Secret> told = secret("--password-file", null, given.passwordFile(), "CATBOX_PASSWORD");
        Screen.Keyboard keyboard = screen.keyboard();
        if (told.isPresent() || user.isEmpty() || keyboard == null || url.contains("password=")) {
            return told;
        }
        return keyboard.secret("Password of " + user + ": ")
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
