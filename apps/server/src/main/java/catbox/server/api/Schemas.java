package catbox.server.api;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import outbox.admin.Parameters;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;

/** Describes records as JSON in JSON Schema. */
final class Schemas {

    private static final Map<Type, Map<String, Object>> SIMPLE = Map.of(
            String.class, Map.of("type", "string"),
            Instant.class, Map.of("type", "string", "format", "date-time"),
            Duration.class, Map.of("type", "string", "format", "duration"),
            boolean.class, Map.of("type", "boolean"),
            double.class, Map.of("type", "number"),
            Double.class, Map.of("type", "number"),
            int.class, Map.of("type", "integer"),
            Integer.class, Map.of("type", "integer"),
            long.class, Map.of("type", "integer"),
            Long.class, Map.of("type", "integer"));

    private final Map<String, Object> named = new TreeMap<>();

    /** Every record that was described, by its name. */
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
        Map<String, Object> simple = SIMPLE.get(type);
        return simple == null ? ofClass((Class<?>) type) : simple;
    }

    private Map<String, Object> ofClass(Class<?> type) {
        if (type.equals(Selection.class)) {
            return Map.of(
                    "oneOf",
                    List.of(with("ids", list(String.class), true), with("filter", of(EventFilter.class), true)));
        }
        if (type.isEnum()) {
            List<String> constants = Arrays.stream(type.getEnumConstants())
                    .map(each -> each.toString().toLowerCase(Locale.ROOT))
                    .toList();
            return Map.of("type", "string", "enum", constants);
        }
        if (!type.isRecord()) {
            throw new IllegalStateException("there is no schema for " + type);
        }
        if (!named.containsKey(name(type))) {
            named.put(name(type), Map.of()); // Before its components, since one may have its own type.
            named.put(name(type), ofRecord(type));
        }
        return reference(type);
    }

    private Map<String, Object> ofRecord(Class<?> type) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            properties.put(component.getName(), of(component.getGenericType()));
        }
        List<String> required = Arrays.stream(type.getRecordComponents())
                .filter(Parameters::isRequired)
                .map(RecordComponent::getName)
                .toList();
        return object(properties, required);
    }

    /** An object with one property. */
    static Map<String, Object> with(String name, Map<String, Object> schema, boolean required) {
        return object(Map.of(name, schema), required ? List.of(name) : List.of());
    }

    private static Map<String, Object> object(Map<String, Object> properties, List<String> required) {
        Map<String, Object> schema = new LinkedHashMap<>(Map.of("type", "object", "properties", properties));
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return schema;
    }

    static Map<String, Object> reference(Class<?> type) {
        return Map.of("$ref", "#/components/schemas/" + name(type));
    }

    // With the enclosing type, since several are called State.
    private static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : outer.getSimpleName() + type.getSimpleName();
    }
}
