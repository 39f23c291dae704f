package catbox.server.config;

import java.time.Duration;
import java.util.Optional;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * The login of a source's database.
 *
 * @param url may hold a password
 * @param user empty if there is none, or if the url has it
 * @param password empty if the database needs none, or if the url has it
 * @param connectTimeout how long it may take to get a connection, from the pool or from the database
 */
public record Login(String url, String user, Optional<Secret> password, int poolSize, Duration connectTimeout) {

    /**
     * The relay's: heartbeats, assignment, poll, upkeep, sending wake-ups, listening for them, the loop that they wake,
     * statistics, retention.
     */
    private static final int FURTHER_CONNECTIONS = 9;

    private static final Duration CONNECT_TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    static Login read(Settings settings, int workers) {
        int least = workers + FURTHER_CONNECTIONS;
        return new Login(
                settings.required("url"),
                settings.text("user").orElse(""),
                settings.secret("password"),
                settings.number("pool-size", least, least, 1_000),
                settings.duration("connect-timeout", CONNECT_TIMEOUT_DEFAULT));
    }

    /** Omits the url, which may hold a password. */
    @Override
    public String toString() {
        return "login of \"" + user + "\"";
    }
}
