package catbox.cli.command;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.EventFilter;
import picocli.CommandLine.Option;

/** The options that filter events by their properties. */
final class FilterOptions {

    @Option(names = "--state", paramLabel = "STATE", description = "pending, retry, done or dead")
    private EventFilter.@Nullable State state;

    @Option(names = "--type", paramLabel = "TYPE", description = "the event's type")
    private @Nullable String type;

    @Option(names = "--key", paramLabel = "KEY", description = "the ordering key")
    private @Nullable String key;

    @Option(names = "--aggregate", paramLabel = "ID", description = "the aggregate's id")
    private @Nullable String aggregate;

    @Option(names = "--tenant", paramLabel = "ID", description = "the tenant's id")
    private @Nullable String tenant;

    @Option(
            names = "--error",
            paramLabel = "PATTERN",
            description = "the whole last error, in which * matches anything; \"dead\" prints such patterns")
    private @Nullable String error;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "created at this time or later: 2026-01-31T12:00:00Z, or 2h for two hours ago")
    private @Nullable Instant from;

    @Option(names = "--before", paramLabel = "TIME", description = "created before this time")
    private @Nullable Instant before;

    EventFilter filter() {
        return new EventFilter(state, type, key, aggregate, tenant, error, from, before);
    }
}
