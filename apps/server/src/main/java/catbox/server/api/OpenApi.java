package catbox.server.api;

import catbox.server.pulse.LiveFigures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import outbox.admin.Operation;
import outbox.admin.Parameters;

/** The OpenAPI document. It follows from the registry of operations and the records that they take and give. */
final class OpenApi {

    private static final Map<String, Object> SECURITY_SCHEMES = Map.of(
            "bearer", Map.of("type", "http", "scheme", "bearer"),
            "session", Map.of("type", "apiKey", "in", "cookie", "name", "catbox-session"));

    private final Schemas schemas = new Schemas();

    /** The document, as a tree that becomes JSON. */
    Map<String, Object> document() {
        Map<String, Object> paths = new LinkedHashMap<>();
        Map<String, Object> sources = schemas.list(SourceAdmins.SourceView.class);
        paths.put("/api/sources", get("sources", "All sources, and whether they can be asked", json(sources)));
        for (Operation operation : Operation.values()) {
            boolean shows = operation.kind() == Operation.Kind.SEE;
            paths.put("/api/sources/{source}/" + operation.word(), Map.of(shows ? "get" : "post", method(operation)));
        }
        Map<String, Object> pulses = Map.of("type", "object", "additionalProperties", schemas.list(LiveFigures.class));
        paths.put("/api/pulse", get("pulse", "The last quarter of an hour of every source", json(pulses)));
        Map<String, Object> stream = Map.of("text/event-stream", Map.of("schema", schemas.of(LiveFigures.class)));
        String streamed = "Server-sent events named pulse, one per source and second, each with a Pulse as data";
        paths.put("/api/stream", get("stream", streamed, stream));
        schemas.of(ProblemDocument.class);

        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", "Catbox", "version", "1"));
        document.put("security", List.of(Map.of("bearer", List.of()), Map.of("session", List.of())));
        document.put("paths", paths);
        document.put("components", Map.of("schemas", schemas.named(), "securitySchemes", SECURITY_SCHEMES));
        return document;
    }

    private Map<String, Object> method(Operation operation) {
        Parameters.Parameter source = new Parameters.Parameter("source", "the source's name", true, false);
        Map<String, Object> method = new LinkedHashMap<>();
        method.put("operationId", operation.word());
        method.put("summary", operation.summary());
        method.put("description", "Needs " + operation.needs());
        if (operation.kind() == Operation.Kind.SEE) {
            Stream<Map<String, Object>> query =
                    Parameters.of(operation.requestType()).stream().map(each -> parameter("query", each));
            method.put(
                    "parameters",
                    Stream.concat(Stream.of(parameter("path", source)), query).toList());
        } else {
            method.put("parameters", List.of(parameter("path", source)));
            method.put("requestBody", Map.of("required", true, "content", json(body(operation))));
        }
        method.put("responses", responses(json(schemas.of(operation.resultType()))));
        return method;
    }

    /** The request record; for what destroys, with the confirmation. */
    private Map<String, Object> body(Operation operation) {
        Map<String, Object> schema = schemas.of(operation.requestType());
        return operation.kind() == Operation.Kind.DESTROY
                ? Map.of("allOf", List.of(schema, Schemas.with("confirm", schemas.of(boolean.class), false)))
                : schema;
    }

    private static Map<String, Object> get(String id, String summary, Map<String, Object> content) {
        return Map.of("get", Map.of("operationId", id, "summary", summary, "responses", responses(content)));
    }

    private static Map<String, Object> responses(Map<String, Object> content) {
        Map<String, Object> problem = Map.of("schema", Schemas.reference(ProblemDocument.class));
        return Map.of(
                "200", Map.of("description", "What was asked for", "content", content),
                "default", Map.of("description", "Why not", "content", Map.of("application/problem+json", problem)));
    }

    private static Map<String, Object> parameter(String in, Parameters.Parameter parameter) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("name", parameter.name());
        described.put("in", in);
        described.put("description", parameter.meaning());
        described.put("required", parameter.required());
        described.put("schema", Map.of("type", "string"));
        return described;
    }

    private static Map<String, Object> json(Map<String, Object> schema) {
        return Map.of("application/json", Map.of("schema", schema));
    }
}
