package catbox.server.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import outbox.util.Secret;
import outbox.util.Settings;

/**
 * How to get into a source's database.
 *
 * @param password empty where the database asks for none
 * @param connectTimeout how long a connection may take, from the pool or anew
 */
public record DatabasePlan(String url, String user, Optional<Secret> password, int poolSize, Duration connectTimeout) {

    static final List<String> SETTINGS = List.of("url", "user", "password", "pool-size", "connect-timeout");

    /** Of the relay: heartbeats, assignment, poll and upkeep, two to wake and be woken, statistics and retention. */
    private static final int CONNECTIONS_BESIDE_WORKERS = 8;

    private static final Duration CONNECT_TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    /** The databases that there are stores for. */
    public enum Kind {
        POSTGRESQL("jdbc:postgresql:", "org.postgresql.Driver"),
        MYSQL("jdbc:mysql:", "com.mysql.cj.jdbc.Driver"),
        MARIADB("jdbc:mariadb:", "org.mariadb.jdbc.Driver"),
        H2("jdbc:h2:", "org.h2.Driver");

        private final String prefix;
        private final String driver;

        Kind(String prefix, String driver) {
            this.prefix = prefix;
            this.driver = driver;
        }

        /** The class of its driver. */
        public String driver() {
            return driver;
        }

        private static Optional<Kind> of(String url) {
            return Arrays.stream(values())
                    .filter(kind -> url.startsWith(kind.prefix))
                    .findFirst();
        }
    }

    static DatabasePlan read(Settings settings, int workers) {
        String url = settings.required("url");
        if (Kind.of(url).isEmpty()) {
            throw settings.wrong(
                    "url",
                    "must begin with one of "
                            + Arrays.stream(Kind.values())
                                    .map(kind -> kind.prefix)
                                    .toList() + ", was \""
                            + withoutParameters(url) + "\"");
        }
        int least = workers + CONNECTIONS_BESIDE_WORKERS;
        return new DatabasePlan(
                url,
                settings.text("user").orElse(""),
                settings.secret("password"),
                settings.number("pool-size", least, least, 1_000),
                settings.duration("connect-timeout", CONNECT_TIMEOUT_DEFAULT));
    }

    public Kind kind() {
        return Kind.of(url).orElseThrow();
    }

    /** The URL without its parameters, among which a password may be. */
    public String place() {
        return withoutParameters(url);
    }

    private static String withoutParameters(String url) {
        return url.split("[?;]", 2)[0].replaceFirst("//[^/]*@", "//");
    }

    @Override
    public String toString() {
        return place();
    }
}
