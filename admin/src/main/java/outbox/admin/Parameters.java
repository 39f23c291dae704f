package outbox.admin;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;

/**
 * A request as names and texts, as it is in the query of an address, in a form and in the options of a command. Records
 * within the record are flattened, so {@code filter.eventType} is {@code type}.
 */
public final class Parameters {

    /** What is taken for a text that is left out. The source, which can be paused, has no name. */
    private static final Map<String, Object> DEFAULTS = Map.of("limit", 50, "name", "");

    /** Name and meaning of each component; with its record, where components of one name mean different things. */
    private static final Map<String, Parameter> NAMED = Map.ofEntries(
            named("eventIds", "id", "the events' ids, instead of a filter"),
            named("eventId", "id", "the event's id"),
            named("nodeId", "node", "the node's name"),
            named("kind", "kind", "source, route, destination, partition, key or node"),
            named("name", "name", "name of the route, destination, key or node; number of the partition"),
            named("state", "state", "pending, retry, done or dead"),
            named("eventType", "type", "the event's type"),
            named("key", "key", "the ordering key"),
            named("aggregateType", "aggregate-type", "the aggregate's type"),
            named("aggregateId", "aggregate", "the aggregate's id"),
            named("tenantId", "tenant", "the tenant's id"),
            named("error", "error", "a pattern of the whole last error, in which * is anything"),
            named("createdFrom", "from", "created at this time or later, an ISO-8601 instant"),
            named("createdBefore", "before", "created before this time, an ISO-8601 instant"),
            named("from", "from", "created at this time or later, an ISO-8601 instant"),
            named("Resend.before", "before", "created before this time, an ISO-8601 instant"),
            named("headers", "header", "NAME=VALUE; can be repeated"),
            named("payloadJson", "payload", "the new payload as JSON"),
            named("olderThan", "older-than", "time since they were done, an ISO-8601 duration"),
            named("after", "after", "continues behind a page or a step: its next"),
            named("before", "before", "continues behind this entry of the audit log"),
            named("limit", "limit", "how many at most; default: " + DEFAULTS.get("limit")),
            named("dryRun", "dry-run", "only count"),
            named("replay", "replay", "also deliver the event"),
            named("reason", "reason", "shown in the audit log, and where a pause is shown"),
            named("destination", "destination", "the destination's name"),
            named("partitions", "partitions", "the new number of partitions"));

    /**
     * One text of a request, with its meaning for people.
     *
     * @param required whether it must be given
     * @param flag whether it is true or false, and false if left out
     * @param choices all that are allowed; empty if there are more than can be listed
     */
    public record Parameter(String name, String meaning, boolean required, boolean flag, List<String> choices) {

        private Parameter optional() {
            return new Parameter(name, meaning, false, flag, choices);
        }
    }

    private static Map.Entry<String, Parameter> named(String component, String name, String meaning) {
        return Map.entry(component, new Parameter(name, meaning, false, false, List.of()));
    }

    /** How a text becomes a value of a type. */
    private record Format(String expected, Function<String, Object> parse) {}

    private static final Format NUMBER = new Format("a whole number", Integer::valueOf);

    private static final Map<Class<?>, Format> FORMATS = Map.of(
            String.class, new Format("text", text -> text),
            boolean.class, new Format("true or false", Parameters::flag),
            int.class, NUMBER,
            Integer.class, NUMBER,
            Long.class, new Format("a whole number", Long::valueOf),
            Instant.class, new Format("an instant such as 2026-01-31T12:00:00Z", Parameters::instant),
            Duration.class, new Format("a duration such as P30D", Duration::parse));

    private final Map<String, ? extends List<String>> texts;

    private Parameters(Map<String, ? extends List<String>> texts) {
        this.texts = texts;
    }

    // ---- names -----------------------------------------------------------------------------------------------------

    /** All that a request has, in the order of its components. */
    public static List<Parameter> of(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .flatMap(Parameters::of)
                .toList();
    }

    private static Stream<Parameter> of(RecordComponent component) {
        Class<?> type = component.getType();
        if (type == Selection.class) {
            return Stream.of(Selection.Ids.class, EventFilter.class)
                    .flatMap(each -> of(each).stream())
                    .map(Parameter::optional);
        }
        if (!type.isRecord()) {
            return Stream.of(parameter(component));
        }
        Stream<Parameter> nested = of(type).stream();
        return isRequired(component) ? nested : nested.map(Parameter::optional);
    }

    private static Parameter parameter(RecordComponent component) {
        String name = component.getName();
        Parameter found = NAMED.getOrDefault(
                component.getDeclaringRecord().getSimpleName() + "." + name,
                NAMED.getOrDefault(name, new Parameter(kebab(name), "", false, false, List.of())));
        boolean required = isRequired(component) && !DEFAULTS.containsKey(found.name());
        Class<?> type = component.getType();
        return new Parameter(found.name(), found.meaning(), required, type == boolean.class, choices(type));
    }

    private static List<String> choices(Class<?> type) {
        Object[] constants = type.isEnum() ? type.getEnumConstants() : new Object[0];
        return Arrays.stream(constants)
                .map(each -> each.toString().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static String kebab(String component) {
        return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Whether a component of a record has to be given: it is neither nullable nor a primitive with a default. */
    public static boolean isRequired(RecordComponent component) {
        return !component.getType().isPrimitive()
                && !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    // ---- reading ---------------------------------------------------------------------------------------------------

    /**
     * Makes the record of which these are the texts. Names that it does not have are ignored.
     *
     * @throws IllegalArgumentException for a text that is missing or invalid; the message says what is allowed
     */
    public static <T> T read(Class<T> record, Map<String, ? extends List<String>> texts) {
        return new Parameters(texts).record(record);
    }

    private <T> T record(Class<T> type) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = Arrays.stream(components).map(this::value).toArray();
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable Object value(RecordComponent component) {
        Class<?> type = component.getType();
        String name = parameter(component).name();
        if (type == Selection.class) {
            return selection();
        }
        if (type == List.class) {
            return given(name);
        }
        if (type == Map.class) {
            return given(name).isEmpty() && !isRequired(component) ? null : headers(name);
        }
        if (type.isRecord()) {
            boolean absent =
                    of(type).stream().allMatch(each -> given(each.name()).isEmpty());
            return absent && !isRequired(component) ? null : record(type);
        }
        return scalar(component, type, name);
    }

    private @Nullable Object scalar(RecordComponent component, Class<?> type, String name) {
        List<String> given = given(name);
        if (given.size() > 1) {
            throw new IllegalArgumentException("the parameter " + name + " is given " + given.size() + " times");
        }
        // An event may have an empty id, if another program stored it.
        if (given.isEmpty() || (given.get(0).isEmpty() && !component.getName().equals("eventId"))) {
            if (parameter(component).required()) {
                throw new IllegalArgumentException("the parameter " + name + " is missing");
            }
            return type == boolean.class ? false : DEFAULTS.get(name);
        }
        return parsed(format(component), name, given.get(0));
    }

    private static Format format(RecordComponent component) {
        Class<?> type = component.getType();
        return type.isEnum()
                ? new Format(parameter(component).meaning(), text -> constant(type, text))
                : Objects.requireNonNull(FORMATS.get(type));
    }

    private static Object parsed(Format format, String name, String text) {
        try {
            return format.parse().apply(text);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw wrong(name, format.expected(), text);
        }
    }

    private static Object constant(Class<?> type, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(each -> each.toString().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
    }

    private static Object flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException();
        }
        return text.equals("true");
    }

    // Browsers send times without a zone, which the console's forms label as UTC.
    private static Object instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        }
    }

    private static IllegalArgumentException wrong(String name, String allowed, String text) {
        return new IllegalArgumentException(name + " must be " + allowed + ", was \"" + text + "\"");
    }

    private Selection selection() {
        List<String> ids = given("id");
        EventFilter filter = record(EventFilter.class);
        boolean filtered = !filter.equals(EventFilter.ALL);
        if (ids.isEmpty() && !filtered) {
            throw new IllegalArgumentException("select events by their ids or by a filter");
        }
        // An event may have an empty id. Next to a filter, an empty id is an input that was not filled in.
        return ids.isEmpty() || (filtered && ids.equals(List.of("")))
                ? new Selection.Matching(filter)
                : new Selection.Ids(ids);
    }

    /** Each text is NAME=VALUE; a single empty one stands for no headers. A value may have several lines. */
    private Map<String, String> headers(String name) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String text : given(name)) {
            int equals = text.indexOf('=');
            if (equals < 1 && !text.isEmpty()) {
                throw wrong(name, "NAME=VALUE", text);
            }
            if (!text.isEmpty()) {
                headers.put(text.substring(0, equals), text.substring(equals + 1));
            }
        }
        return headers;
    }

    private List<String> given(String name) {
        List<String> given = texts.get(name);
        return given == null ? List.of() : given;
    }

    // ---- writing ---------------------------------------------------------------------------------------------------

    /** The texts of every record of a result; the fields of a record within it are named after both. */
    public static List<Map<String, List<String>>> rows(Object result) {
        List<?> records = result instanceof List<?> list ? list : List.of(result);
        return records.stream().map(each -> row((Record) each)).toList();
    }

    private static Map<String, List<String>> row(Record record) {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = value(record, component);
            String name = parameter(component).name();
            if (value instanceof Record nested && !(nested instanceof BoundedCount)) {
                row(nested).forEach((inner, values) -> texts.put(name + " " + inner, values));
            } else if (value != null) {
                texts.put(name, texts(value));
            }
        }
        return texts;
    }

    /** The texts of a request, without what is null. */
    public static Map<String, List<String>> write(Record record) {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            switch (value(record, component)) {
                case null -> {}
                case Selection.Matching(EventFilter filter) -> texts.putAll(write(filter));
                case Record nested -> texts.putAll(write(nested));
                case Object value -> texts.put(parameter(component).name(), texts(value));
            }
        }
        return texts;
    }

    private static List<String> texts(Object value) {
        return switch (value) {
            case List<?> list ->
                list.stream().flatMap(each -> texts(each).stream()).toList();
            case Map<?, ?> headers ->
                new TreeMap<>(headers)
                        .entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .toList();
            case Enum<?> constant -> List.of(constant.name().toLowerCase(Locale.ROOT));
            case BoundedCount count -> List.of(count.toString());
            case Record record ->
                List.of(row(record).entrySet().stream()
                        .map(each -> each.getKey() + " " + String.join(", ", each.getValue()))
                        .collect(Collectors.joining("; ")));
            default -> List.of(value.toString());
        };
    }

    private static @Nullable Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
