package catbox.server.config;

import catbox.server.engine.Problem;
import catbox.server.engine.SourceDatabase;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import outbox.SchemaException;
import outbox.relay.config.DestinationSettings;
import outbox.spi.Checkable;
import outbox.spi.Destination;

/** Tries to connect to every database and destination of a configuration, prints a line for each, and changes nothing. */
public final class ConnectionCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ServerConfig config;
    private final PrintStream out;
    private int failures;

    public ConnectionCheck(ServerConfig config, PrintStream out) {
        this.config = config;
        this.out = out;
    }

    /** Tries every part, and returns how many failed. */
    public int run() {
        failures = 0;
        new TreeMap<>(config.sources()).forEach((name, plan) -> attempt("source " + name, () -> source(plan)));
        new TreeMap<>(config.routing().destinations())
                .forEach((name, plan) -> attempt("destination " + name, () -> destination(plan)));
        return failures;
    }

    private void attempt(String part, Supplier<String> attempt) {
        try {
            out.println(part + ": ok, " + attempt.get());
        } catch (RuntimeException e) {
            failures++;
            out.println(part + ": FAILED, " + Problem.describe(e));
        }
    }

    private static String source(SourcePlan plan) {
        String place = plan.database().place();
        if (!plan.enabled()) {
            return place + ", disabled, so it was not tried";
        }
        String events = plan.database().events();
        try (SourceDatabase database = SourceDatabase.open(plan)) {
            database.check();
            return place + ", " + events + ", " + plan.relay().config().terms();
        } catch (SchemaException e) {
            if (plan.table().schema() == SourcePlan.Schema.CHECK) {
                throw e;
            }
            return place + ", " + events + " is missing or old, and will be installed at the start";
        }
    }

    private static String destination(DestinationSettings plan) {
        try (Destination destination = plan.open("check")) {
            Optional<Checkable> checkable = Checkable.of(destination);
            checkable.ifPresent(each -> each.check(TIMEOUT));
            return plan.kind() + (checkable.isPresent() ? ", reached" : ", can be opened");
        }
    }
}
