package catbox.server.config;

import java.time.Duration;
import java.util.Optional;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * How to get into a database, of whatever kind.
 *
 * @param url may hold a password
 * @param user empty where there is none, or where the url has it
 * @param password empty where the database asks for none, or where the url has it
 * @param connectTimeout how long a connection may take, from the pool or anew
 */
public record Login(String url, String user, Optional<Secret> password, int poolSize, Duration connectTimeout) {

    /**
     * Of the relay: heartbeats, assignment, poll and upkeep, two to wake and be woken, one for who is woken, statistics
     * and retention.
     */
    private static final int CONNECTIONS_BESIDE_WORKERS = 9;

    private static final Duration CONNECT_TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    static Login read(Settings settings, int workers) {
        int least = workers + CONNECTIONS_BESIDE_WORKERS;
        return new Login(
                settings.required("url"),
                settings.text("user").orElse(""),
                settings.secret("password"),
                settings.number("pool-size", least, least, 1_000),
                settings.duration("connect-timeout", CONNECT_TIMEOUT_DEFAULT));
    }

    /** Without the url, in which a password may be. */
    @Override
    public String toString() {
        return "login of \"" + user + "\"";
    }
}
