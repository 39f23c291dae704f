package catbox.cli.connection;

import catbox.cli.output.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.Parameters;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.node.ObjectNode;

/** A source of a server, reached through its API. Confirms what destroys, because the command has asked before. */
final class HttpOperations implements OutboxAdmin {

    private final Api api;
    private final String path;

    HttpOperations(Api api, String source) {
        this.api = api;
        this.path = "/api/sources/" + encoded(source).replace("+", "%20") + "/";
    }

    @Override
    @SuppressWarnings("unchecked") // Each record of a request names the type of its result.
    public <R> R run(Request<R> request) {
        return (R) result(request);
    }

    private Object result(Request<?> request) {
        Operation operation = Operation.of(request);
        JavaType type = Json.MAPPER.constructType(operation.resultType());
        try {
            return operation.kind() == Operation.Kind.SEE
                    ? api.get(path + operation.id() + query((Record) request), type)
                    : api.post(path + operation.id(), body(operation, request), type);
        } catch (TargetException e) {
            if (operation == Operation.DOCTOR && e.kind() == TargetException.Kind.NOT_CONNECTED) {
                return List.of(notConnected(e));
            }
            throw e;
        }
    }

    private static String query(Record request) {
        String query = Parameters.write(request).entrySet().stream()
                .flatMap(each -> each.getValue().stream().map(text -> each.getKey() + "=" + encoded(text)))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static ObjectNode body(Operation operation, Request<?> request) {
        ObjectNode body = Json.MAPPER.valueToTree(request);
        if (operation.kind() == Operation.Kind.DESTROY) {
            body.put("confirm", true);
        }
        return body;
    }

    /** The server cannot examine the source, and the reason for that is the finding. */
    private static Finding notConnected(TargetException reason) {
        return Finding.error(
                FindingCode.SOURCE_NOT_CONNECTED,
                "The server is not connected to the source",
                String.valueOf(reason.getMessage()),
                "Fix the reported problem; the server reconnects automatically. Run the doctor with --database for more.");
    }
}
