package catbox.server.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import outbox.admin.Operation;
import outbox.admin.view.RouteView;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventQuery;

/** The query parameters of an operation that shows something. One that there is not is an error, not ignored. */
final class Query {

    private static final int LIMIT_DEFAULT = 50;

    /** By operation, with what each parameter means, for the document that describes the API. */
    static final Map<Operation, Map<String, String>> PARAMETERS = Map.of(
            Operation.EVENTS,
                    ordered(
                            "state", "pending, retry, done or dead",
                            "type", "the event type",
                            "key", "the ordering key",
                            "aggregate", "the aggregate's id",
                            "tenant", "the tenant's id",
                            "error", "a pattern of the last error, in which * is anything",
                            "from", "created then or later, an ISO-8601 instant",
                            "before", "created before, an ISO-8601 instant",
                            "after", "continues behind a page: its next",
                            "limit", "how many at most, " + LIMIT_DEFAULT + " unless said"),
            Operation.EVENT, ordered("id", "required: the event's id"),
            Operation.KEY, ordered("key", "required: the ordering key"),
            Operation.ROUTES,
                    ordered(
                            "type", "marks the route that an event of this type takes",
                            "aggregate-type", "of that event",
                            "aggregate", "its aggregate's id",
                            "tenant", "its tenant's id",
                            "header", "NAME=VALUE, as often as it has headers"),
            Operation.AUDIT,
                    ordered(
                            "before",
                            "continues behind the entry with this id",
                            "limit",
                            "how many at most, " + LIMIT_DEFAULT + " unless said"));

    private final MultiValueMap<String, String> values;

    Query(Operation operation, MultiValueMap<String, String> values) {
        this.values = values;
        Map<String, String> known = PARAMETERS.getOrDefault(operation, Map.of());
        TreeSet<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(known.keySet());
        if (!unknown.isEmpty()) {
            throw new BadRequestException(
                    "unknown parameters " + unknown + " of \"" + operation.word() + "\"; there are " + known.keySet());
        }
    }

    private static Map<String, String> ordered(String... pairs) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }

    EventQuery events() {
        return built(() -> new EventQuery(
                new EventFilter(
                        text("state").map(Query::state).orElse(null),
                        orNull("type"),
                        orNull("key"),
                        orNull("aggregate"),
                        orNull("tenant"),
                        orNull("error"),
                        instant("from"),
                        instant("before")),
                orNull("after"),
                limit()));
    }

    AuditQuery audit() {
        return built(() ->
                new AuditQuery(text("before").map(id -> number("before", id)).orElse(null), limit()));
    }

    /** An event as far as routes look at it; null when none is described. */
    RouteView.@Nullable Sample sample() {
        if (values.isEmpty()) {
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header : values.getOrDefault("header", List.of())) {
            int equals = header.indexOf('=');
            if (equals < 1) {
                throw new BadRequestException("header must be NAME=VALUE, was \"" + header + "\"");
            }
            headers.put(header.substring(0, equals), header.substring(equals + 1));
        }
        return new RouteView.Sample(
                required("type"), orNull("aggregate-type"), orNull("aggregate"), orNull("tenant"), headers);
    }

    String required(String name) {
        return text(name).orElseThrow(() -> new BadRequestException("the parameter " + name + " is missing"));
    }

    /** A parameter that has to be there and may be empty, as the id of an event may be that another program wrote. */
    String given(String name) {
        return values.containsKey(name) ? text(name).orElse("") : required(name);
    }

    // ---- values ----------------------------------------------------------------------------------------------------

    private Optional<String> text(String name) {
        List<String> given = new ArrayList<>(values.getOrDefault(name, List.of()));
        if (given.size() > 1) {
            throw new BadRequestException("the parameter " + name + " is given " + given.size() + " times");
        }
        return given.stream().filter(value -> !value.isEmpty()).findFirst();
    }

    private @Nullable String orNull(String name) {
        return text(name).orElse(null);
    }

    private @Nullable Instant instant(String name) {
        try {
            return text(name).map(Instant::parse).orElse(null);
        } catch (DateTimeException e) {
            throw new BadRequestException(
                    name + " must be an instant such as 2026-01-31T12:00:00Z, was \"" + required(name) + "\"");
        }
    }

    private int limit() {
        return text("limit")
                .map(value -> Math.toIntExact(number("limit", value)))
                .orElse(LIMIT_DEFAULT);
    }

    private static long number(String name, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new BadRequestException(name + " must be a whole number, was \"" + value + "\"");
        }
    }

    private static EventFilter.State state(String word) {
        try {
            return EventFilter.State.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new BadRequestException("state must be pending, retry, done or dead, was \"" + word + "\"");
        }
    }

    private static <T> T built(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new BadRequestException(String.valueOf(e.getMessage()));
        }
    }
}
