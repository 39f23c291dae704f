package catbox.server.api;

import catbox.server.pulse.LiveFigures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import outbox.admin.Operation;
import outbox.admin.Parameters;

/** Builds the OpenAPI document from the registry of operations, their requests and their results. */
final class OpenApi {

    private static final Map<String, Object> SECURITY_SCHEMES = Map.of(
            "bearer", Map.of("type", "http", "scheme", "bearer"),
            "session", Map.of("type", "apiKey", "in", "cookie", "name", "catbox-session"));

    private final Schemas schemas = new Schemas();

    /** The document, as a tree that becomes JSON. */
    Map<String, Object> document() {
        Map<String, Object> paths = new LinkedHashMap<>();
        Map<String, Object> sources = schemas.list(SourceAdmins.SourceView.class);
        paths.put("/api/sources", get("sources", "All sources, and whether they are connected", json(sources)));
        for (Operation operation : Operation.values()) {
            boolean shows = operation.kind() == Operation.Kind.SEE;
            paths.put("/api/sources/{source}/" + operation.id(), Map.of(shows ? "get" : "post", method(operation)));
        }
        Map<String, Object> pulses = Map.of("type", "object", "additionalProperties", schemas.list(LiveFigures.class));
        paths.put("/api/pulse", get("pulse", "The last 15 minutes of every source", json(pulses)));
        Map<String, Object> stream = Map.of("text/event-stream", Map.of("schema", schemas.of(LiveFigures.class)));
        String streamed = "Server-sent events named pulse, one per source and second, each with LiveFigures as data";
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
        Parameters.Parameter source = new Parameters.Parameter("source", "the source's name", true, false, List.of());
        Map<String, Object> method = new LinkedHashMap<>();
        method.put("operationId", operation.id());
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

    /** The request record; with the confirmation if the operation destroys something. */
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
                "200", Map.of("description", "The result", "content", content),
                "default",
                        Map.of("description", "The problem", "content", Map.of("application/problem+json", problem)));
    }

    private static Map<String, Object> parameter(String in, Parameters.Parameter parameter) {
        return Map.of(
                "name", parameter.name(),
                "in", in,
                "description", parameter.meaning(),
                "required", parameter.required(),
                "schema", Map.of("type", "string"));
    }

    private static Map<String, Object> json(Map<String, Object> schema) {
        return Map.of("application/json", Map.of("schema", schema));
    }
}
