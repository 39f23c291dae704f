package catbox.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import outbox.spi.Settings;

/** The database of a source, its login, and where in it the events are. */
public sealed interface DatabasePlan permits JdbcPlan, MongoPlan {

    List<String> SETTINGS =
            List.of("url", "user", "password", "pool-size", "connect-timeout", "table", MongoPlan.DATABASE);

    static DatabasePlan read(Settings settings, int workers) {
        String url = settings.required("url");
        if (MongoPlan.supports(url)) {
            return MongoPlan.read(settings, workers);
        }
        if (JdbcPlan.supports(url)) {
            return JdbcPlan.read(settings, workers);
        }
        List<String> allowed = new ArrayList<>(
                Stream.of(JdbcPlan.Kind.values()).map(JdbcPlan.Kind::prefix).toList());
        allowed.addAll(MongoPlan.PREFIXES);
        throw settings.wrong(
                "url", "must begin with one of " + allowed + ", was \"" + JdbcPlan.withoutParameters(url) + "\"");
    }

    Login login();

    /** Its address for operators, without secrets. */
    String place();

    /** The table or collection of the events, described for operators. */
    String events();

    /** Whether it can notify a relay of commits. */
    boolean notifiesOfCommits();
}
