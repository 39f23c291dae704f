package catbox.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.Parameters;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the request of an operation from a query or from a JSON body. Unknown names are errors. */
record RequestBinding(JsonMapper mapper) {

    /** Room for the largest payload with every character escaped, and for the rest of the body. */
    private static final int BODY_BYTES_MAX = 4 << 20;

    /** A request, and whether the body confirms it. */
    record Bound(Request<?> request, boolean confirmed) {}

    Request<?> ofQuery(Operation operation, Map<String, ? extends List<String>> texts) {
        List<String> known = Parameters.of(operation.requestType()).stream()
                .map(Parameters.Parameter::name)
                .toList();
        TreeSet<String> unknown = new TreeSet<>(texts.keySet());
        known.forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw ProblemException.badRequest(
                    "unknown parameters " + unknown + " of \"" + operation.id() + "\"; there are " + known);
        }
        try {
            return Parameters.read(operation.requestType(), texts);
        } catch (IllegalArgumentException e) {
            throw ProblemException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    Bound ofBody(Operation operation, InputStream body) {
        try {
            byte[] text = body.readNBytes(BODY_BYTES_MAX + 1);
            if (text.length > BODY_BYTES_MAX) {
                throw new ProblemException(ProblemDocument.of(
                        HttpStatus.CONTENT_TOO_LARGE,
                        "too-large",
                        "the body has more than " + BODY_BYTES_MAX + " bytes"));
            }
            return bound(operation, text.length == 0 ? mapper.createObjectNode() : mapper.readTree(text));
        } catch (IOException e) {
            throw ProblemException.badRequest("the body cannot be read: " + e.getMessage());
        } catch (JacksonException e) {
            throw ProblemException.badRequest("the body is not JSON: " + e.getOriginalMessage());
        }
    }

    private Bound bound(Operation operation, JsonNode read) {
        if (!(read instanceof ObjectNode json)) {
            throw ProblemException.badRequest("the body must be a JSON object, such as {\"reason\": \"...\"}");
        }
        JsonNode confirm = json.remove("confirm");
        boolean confirmed = confirm != null && confirm.isBoolean() && confirm.booleanValue();
        try {
            requireComplete(json, operation.requestType(), "");
            return new Bound(mapper.treeToValue(json, operation.requestType()), confirmed);
        } catch (JacksonException e) {
            throw ProblemException.badRequest(message(e));
        }
    }

    // Our own messages say what is allowed. Those of Jackson are for programmers, but name the position.
    private static String message(JacksonException failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalArgumentException || cause instanceof ProblemException) {
                return String.valueOf(cause.getMessage());
            }
        }
        return failure.getOriginalMessage();
    }

    /** Jackson would set what is missing to null, even in records that do not allow it. */
    private static void requireComplete(JsonNode node, Class<?> type, String path) {
        if (!type.isRecord()) {
            return;
        }
        if (!node.isObject()) {
            throw ProblemException.badRequest((path.isEmpty() ? "the body" : path) + " must be a JSON object");
        }
        for (RecordComponent component : type.getRecordComponents()) {
            String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
            JsonNode value = node.get(component.getName());
            if (value != null && !value.isNull()) {
                requireComplete(value, component.getType(), name);
            } else if (Parameters.isRequired(component)) {
                throw ProblemException.badRequest(name + " is missing; the body has "
                        + Arrays.stream(type.getRecordComponents())
                                .map(RecordComponent::getName)
                                .toList());
            }
        }
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
            throw ProblemException.badRequest("selection must have either ids or filter");
        }
    }
}
