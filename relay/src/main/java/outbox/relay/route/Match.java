package outbox.relay.route;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;
import outbox.util.JsonCodec;

/** The condition of a route: patterns, in which {@code *} is anything and {@code ?} one character. All must match. */
public final class Match {

    private static final Match ALL = new Match(Glob.ANYTHING, Glob.ANYTHING, Glob.ANYTHING, Glob.ANYTHING, Map.of());

    private final Glob source;
    private final Glob eventType;
    private final Glob aggregateType;
    private final Glob tenant;
    private final Map<String, Glob> headers;

    private Match(Glob source, Glob eventType, Glob aggregateType, Glob tenant, Map<String, Glob> headers) {
        this.source = source;
        this.eventType = eventType;
        this.aggregateType = aggregateType;
        this.tenant = tenant;
        this.headers = headers;
    }

    /** Every event. */
    public static Match all() {
        return ALL;
    }

    /** Events from a source, for a process with several. */
    public Match source(String pattern) {
        return new Match(new Glob(pattern), eventType, aggregateType, tenant, headers);
    }

    public Match eventType(String pattern) {
        return new Match(source, new Glob(pattern), aggregateType, tenant, headers);
    }

    public Match aggregateType(String pattern) {
        return new Match(source, eventType, new Glob(pattern), tenant, headers);
    }

    public Match tenant(String pattern) {
        return new Match(source, eventType, aggregateType, new Glob(pattern), headers);
    }

    /** Events that have this header, with a value that matches. */
    public Match header(String name, String pattern) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a header must not be empty");
        }
        Map<String, Glob> more = new LinkedHashMap<>(headers);
        more.put(name, new Glob(pattern));
        return new Match(source, eventType, aggregateType, tenant, more);
    }

    boolean isOf(String sourceName) {
        return source.matches(sourceName);
    }

    /** Whether it matches every event of its sources. */
    boolean isEverything() {
        return eventType.isAnything() && aggregateType.isAnything() && tenant.isAnything() && headers.isEmpty();
    }

    /** Whether its source pattern covers that of the other. False if the patterns alone do not show it. */
    boolean coversSourceOf(Match other) {
        return source.isAnything() || source.equals(other.source);
    }

    boolean matches(OutboxEvent event) {
        return eventType.matches(event.eventType())
                && aggregateType.matches(event.aggregateType())
                && tenant.matches(event.tenantId())
                && (headers.isEmpty() || headersMatch(event.headersJson()));
    }

    // Headers are parsed only if a route needs them. A row with broken headers matches no such route.
    private boolean headersMatch(@Nullable String json) {
        if (json == null) {
            return false;
        }
        try {
            Map<String, String> values = JsonCodec.decode(json);
            return headers.entrySet().stream().allMatch(wanted -> {
                String value = values.get(wanted.getKey());
                return value != null && wanted.getValue().matches(value);
            });
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        Map<String, Object> conditions = new LinkedHashMap<>();
        conditions.put("source", source);
        conditions.put("event type", eventType);
        conditions.put("aggregate type", aggregateType);
        conditions.put("tenant", tenant);
        conditions.values().removeIf(Glob.ANYTHING::equals);
        headers.forEach((name, pattern) -> conditions.put("header " + name, pattern));
        return conditions.isEmpty() ? "every event" : conditions.toString();
    }
}
