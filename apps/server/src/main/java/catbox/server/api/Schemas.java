package catbox.server.api;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;

/** Says in JSON Schema what records look like as JSON. */
final class Schemas {

    private final Map<String, Object> named = new TreeMap<>();

    /** Every record that was met, by its name. */
    Map<String, Object> named() {
        return named;
    }

    Map<String, Object> list(Type of) {
        return Map.of("type", "array", "items", of(of));
    }

    Map<String, Object> of(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType().equals(Map.class)
                    ? Map.of("type", "object", "additionalProperties", of(arguments[1]))
                    : list(arguments[0]);
        }
        return ofClass((Class<?>) type);
    }

    private Map<String, Object> ofClass(Class<?> type) {
        if (type.equals(Selection.class)) {
            return selection();
        }
        if (type.isEnum()) {
            return Map.of(
                    "type",
                    "string",
                    "enum",
                    Arrays.stream(type.getEnumConstants())
                            .map(word -> word.toString().toLowerCase(Locale.ROOT))
                            .toList());
        }
        return type.isRecord() ? ofRecord(type) : simple(type);
    }

    private static Map<String, Object> simple(Class<?> type) {
        if (type.equals(String.class)) {
            return Map.of("type", "string");
        }
        if (type.equals(Instant.class)) {
            return Map.of("type", "string", "format", "date-time");
        }
        if (type.equals(Duration.class)) {
            return Map.of("type", "string", "format", "duration");
        }
        if (type.equals(boolean.class)) {
            return Map.of("type", "boolean");
        }
        if (type.equals(double.class) || type.equals(Double.class)) {
            return Map.of("type", "number");
        }
        if (type.equals(int.class)
                || type.equals(Integer.class)
                || type.equals(long.class)
                || type.equals(Long.class)) {
            return Map.of("type", "integer");
        }
        throw new IllegalStateException("no schema is known of " + type);
    }

    private Map<String, Object> ofRecord(Class<?> type) {
        String name = name(type);
        if (!named.containsKey(name)) {
            Map<String, Object> schema = new LinkedHashMap<>();
            named.put(name, schema); // Before its parts: one may have itself as a part.
            Map<String, Object> properties = new LinkedHashMap<>();
            List<String> required = new ArrayList<>();
            for (RecordComponent component : type.getRecordComponents()) {
                properties.put(component.getName(), of(component.getGenericType()));
                if (Body.isRequired(component)) {
                    required.add(component.getName());
                }
            }
            schema.put("type", "object");
            schema.put("properties", properties);
            if (!required.isEmpty()) {
                schema.put("required", required);
            }
        }
        return reference(type);
    }

    private Map<String, Object> selection() {
        return Map.of(
                "oneOf",
                List.of(
                        Map.of(
                                "type",
                                "object",
                                "required",
                                List.of("ids"),
                                "properties",
                                Map.of("ids", list(String.class))),
                        Map.of(
                                "type",
                                "object",
                                "required",
                                List.of("filter"),
                                "properties",
                                Map.of("filter", of(EventFilter.class)))));
    }

    static Map<String, Object> reference(Class<?> type) {
        return Map.of("$ref", "#/components/schemas/" + name(type));
    }

    // With what it is nested in, since there are several called State.
    private static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : outer.getSimpleName() + type.getSimpleName();
    }
}
