package catbox.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import outbox.spi.Settings;

/** Which database a source is in, how to get into it, and where in it the events are. */
public sealed interface DatabasePlan permits JdbcPlan, MongoPlan {

    List<String> SETTINGS =
            List.of("url", "user", "password", "pool-size", "connect-timeout", "table", MongoPlan.DATABASE);

    static DatabasePlan read(Settings settings, int workers) {
        String url = settings.required("url");
        if (MongoPlan.takes(url)) {
            return MongoPlan.read(settings, workers);
        }
        if (JdbcPlan.takes(url)) {
            return JdbcPlan.read(settings, workers);
        }
        List<String> allowed = new ArrayList<>(
                Stream.of(JdbcPlan.Kind.values()).map(JdbcPlan.Kind::prefix).toList());
        allowed.addAll(MongoPlan.PREFIXES);
        throw settings.wrong(
                "url", "must begin with one of " + allowed + ", was \"" + JdbcPlan.withoutParameters(url) + "\"");
    }

    Login login();

    /** Its address without anything that is secret, for people. */
    String place();

    /** Where the events are, for people: a table or a collection. */
    String events();

    /** Whether it can tell a relay of commits. */
    boolean tellsOfCommits();
}
