package catbox.server.api;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The JSON body of an operation that does something: the components of its request record, by their names. */
final class Body {

    private final JsonMapper mapper;
    private final ObjectNode json;
    private final boolean confirmed;

    Body(JsonMapper mapper, byte[] text) {
        this.mapper = mapper;
        JsonNode read;
        try {
            read = text.length == 0 ? mapper.createObjectNode() : mapper.readTree(text);
        } catch (JacksonException e) {
            throw new BadRequestException("the body is no JSON: " + e.getOriginalMessage());
        }
        if (!(read instanceof ObjectNode object)) {
            throw new BadRequestException("the body must be a JSON object, such as {\"reason\": \"...\"}");
        }
        this.json = object;
        JsonNode confirm = object.remove("confirm");
        this.confirmed = confirm != null && confirm.isBoolean() && confirm.booleanValue();
    }

    boolean confirmed() {
        return confirmed;
    }

    /** The whole body as a record. */
    <T extends Record> T as(Class<T> type) {
        return read(json, type);
    }

    private <T> T read(JsonNode node, Class<T> type) {
        try {
            requireComplete(node, type, "");
            return mapper.treeToValue(node, type);
        } catch (JacksonException e) {
            throw new BadRequestException(words(e));
        }
    }

    // Ours say what is allowed; Jackson's own words are meant for programmers, but name the place.
    private static String words(JacksonException failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalArgumentException || cause instanceof BadRequestException) {
                return String.valueOf(cause.getMessage());
            }
        }
        return failure.getOriginalMessage();
    }

    /** What is left out would be null in a record that says it never is. */
    private static void requireComplete(JsonNode node, Class<?> type, String path) {
        if (!type.isRecord()) {
            return;
        }
        if (!node.isObject()) {
            throw new BadRequestException((path.isEmpty() ? "the body" : path) + " must be a JSON object");
        }
        for (RecordComponent component : type.getRecordComponents()) {
            String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
            JsonNode value = node.get(component.getName());
            if (value != null && !value.isNull()) {
                requireComplete(value, component.getType(), name);
            } else if (isRequired(component)) {
                throw new BadRequestException(name + " is missing; the body has " + names(type));
            }
        }
    }

    static boolean isRequired(RecordComponent component) {
        return !component.getType().isPrimitive()
                && !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static List<String> names(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    /** Reads {@code {"ids": [...]}} or {@code {"filter": {...}}}. */
    static final class SelectionReader extends StdDeserializer<Selection> {

        SelectionReader() {
            super(Selection.class);
        }

        private record Chosen(
                @Nullable List<String> ids, @Nullable EventFilter filter) {}

        @Override
        public Selection deserialize(JsonParser parser, DeserializationContext context) {
            Chosen chosen = context.readValue(parser, Chosen.class);
            if (chosen.ids() != null && chosen.filter() == null) {
                return new Selection.Ids(chosen.ids());
            }
            if (chosen.filter() != null && chosen.ids() == null) {
                return new Selection.Matching(chosen.filter());
            }
            throw new BadRequestException("selection must have either ids or filter");
        }
    }
}
