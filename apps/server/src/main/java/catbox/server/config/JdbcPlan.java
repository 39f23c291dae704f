package catbox.server.config;

import java.util.Arrays;
import java.util.Optional;
import outbox.jdbc.TableNames;
import outbox.spi.Settings;

/** A relational database and the tables of the outbox in it. */
public record JdbcPlan(Login login, TableNames tables) implements DatabasePlan {

    /** The databases that have a dialect. */
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

        String prefix() {
            return prefix;
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

    static boolean supports(String url) {
        return Kind.of(url).isPresent();
    }

    static JdbcPlan read(Settings settings, int workers) {
        if (settings.text(MongoPlan.DATABASE).isPresent()) {
            throw settings.wrong(
                    MongoPlan.DATABASE,
                    "is for sources in MongoDB, and the url is \"" + withoutParameters(settings.required("url"))
                            + "\": name the database there");
        }
        return new JdbcPlan(
                Login.read(settings, workers),
                settings.parsed("table", TableNames::new).orElse(TableNames.DEFAULT));
    }

    public Kind kind() {
        return Kind.of(login.url()).orElseThrow();
    }

    /** The URL without its parameters, which may hold a password. */
    @Override
    public String place() {
        return withoutParameters(login.url());
    }

    static String withoutParameters(String url) {
        return url.split("[?;]", 2)[0].replaceFirst("//[^/]*@", "//");
    }

    @Override
    public String events() {
        return "table " + tables.event();
    }

    @Override
    public boolean notifiesOfCommits() {
        return kind() == Kind.POSTGRESQL;
    }

    @Override
    public String toString() {
        return place();
    }
}
