package catbox.server.api;

import catbox.server.pulse.LiveFigures;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import outbox.admin.Operation;
import outbox.admin.OutboxAdmin;

/**
 * The OpenAPI document. It is made of the list of operations, the methods of the same names and the records that they
 * take and give, so that it cannot say anything else than they do.
 */
final class OpenApi {

    private static final String SOURCE = "/api/sources/{source}/";

    private final Schemas schemas = new Schemas();

    /** The document, as a tree that becomes JSON. */
    Map<String, Object> document() {
        Map<String, Object> paths = new LinkedHashMap<>();
        paths.put(
                "/api/sources",
                get(
                        "sources",
                        "All sources, and whether they can be asked",
                        schemas.list(SourceAdmins.SourceView.class)));
        for (Operation operation : Operation.values()) {
            paths.put(SOURCE + operation.word(), path(operation));
        }
        paths.put(
                "/api/pulse",
                get(
                        "pulse",
                        "The last quarter of an hour of every source",
                        Map.of("type", "object", "additionalProperties", schemas.list(LiveFigures.class))));
        paths.put("/api/stream", stream());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", "Catbox", "version", "1"));
        document.put("security", List.of(Map.of("bearer", List.of()), Map.of("session", List.of())));
        document.put("paths", paths);
        schemas.of(ProblemDocument.class);
        document.put(
                "components",
                Map.of(
                        "schemas", schemas.named(),
                        "securitySchemes",
                                Map.of(
                                        "bearer", Map.of("type", "http", "scheme", "bearer"),
                                        "session",
                                                Map.of("type", "apiKey", "in", "cookie", "name", "catbox-session"))));
        return document;
    }

    private Map<String, Object> path(Operation operation) {
        boolean shows = operation.kind() == Operation.Kind.SEE;
        List<Object> parameters = new ArrayList<>();
        parameters.add(parameter("source", "path", "the source's name", true));
        Query.PARAMETERS
                .getOrDefault(operation, Map.of())
                .forEach((name, meaning) ->
                        parameters.add(parameter(name, "query", meaning, meaning.startsWith("required"))));
        Map<String, Object> method = new LinkedHashMap<>();
        method.put("operationId", operation.word());
        method.put(
                "summary",
                "Needs "
                        + (operation == Operation.REVEAL
                                ? "the right payload-read"
                                : "the role " + operation.role().name().toLowerCase(Locale.ROOT)));
        method.put("parameters", parameters);
        if (!shows) {
            method.put("requestBody", Map.of("required", true, "content", json(request(operation))));
        }
        method.put("responses", responses(json(schemas.of(method(operation).getGenericReturnType()))));
        return Map.of(shows ? "get" : "post", method);
    }

    /** The request record, and for what destroys the confirmation beside it. */
    private Map<String, Object> request(Operation operation) {
        Type type = switch (operation) {
            case REVEAL -> Call.Reveal.class;
            case RESUME -> Call.Resume.class;
            case REBALANCE -> Call.Rebalance.class;
            default -> method(operation).getGenericParameterTypes()[0];
        };
        Map<String, Object> schema = schemas.of(type);
        return operation.kind() == Operation.Kind.DESTROY
                ? Map.of(
                        "allOf",
                        List.of(
                                schema,
                                Map.of("type", "object", "properties", Map.of("confirm", Map.of("type", "boolean")))))
                : schema;
    }

    static Method method(Operation operation) {
        return Arrays.stream(OutboxAdmin.class.getMethods())
                .filter(method -> method.getName().equals(operation.word()))
                .findFirst()
                .orElseThrow();
    }

    private Map<String, Object> get(String id, String summary, Map<String, Object> answer) {
        return Map.of("get", Map.of("operationId", id, "summary", summary, "responses", responses(json(answer))));
    }

    private Map<String, Object> stream() {
        return Map.of(
                "get",
                Map.of(
                        "operationId", "stream",
                        "summary",
                                "Server-sent events named pulse, one per source and second, each with a Pulse as data",
                        "responses",
                                responses(
                                        Map.of("text/event-stream", Map.of("schema", schemas.of(LiveFigures.class))))));
    }

    private static Map<String, Object> responses(Map<String, Object> content) {
        return Map.of(
                "200", Map.of("description", "What was asked for", "content", content),
                "default",
                        Map.of(
                                "description",
                                "Why not",
                                "content",
                                Map.of(
                                        "application/problem+json",
                                        Map.of("schema", Schemas.reference(ProblemDocument.class)))));
    }

    private static Map<String, Object> parameter(String name, String in, String meaning, boolean required) {
        return Map.of(
                "name",
                name,
                "in",
                in,
                "description",
                meaning,
                "required",
                required,
                "schema",
                Map.of("type", "string"));
    }

    private static Map<String, Object> json(Map<String, Object> schema) {
        return Map.of("application/json", Map.of("schema", schema));
    }
}
