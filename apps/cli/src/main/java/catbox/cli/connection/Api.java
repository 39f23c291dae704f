package catbox.cli.connection;

import catbox.cli.connection.TargetException.Kind;
import catbox.cli.output.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;

/** Sends requests to a server, and translates its problems into exceptions with helpful messages. */
final class Api {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofMinutes(2);

    private final Target.Server server;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT).build();

    Api(Target.Server server) {
        this.server = server;
    }

    /** The problem details of RFC 9457. */
    record Problem(
            @Nullable String type,
            @Nullable String title,
            @Nullable String detail) {

        String message(int status) {
            String text = detail == null || detail.isBlank() ? title : detail;
            return text == null || text.isBlank() ? "the server answered with status " + status : text;
        }
    }

    Object get(String path, JavaType type) {
        return read(request(path).GET(), type);
    }

    Object post(String path, Object body, JavaType type) {
        String json = Json.MAPPER.writeValueAsString(body);
        return read(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json)),
                type);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .timeout(ANSWER)
                .header("Accept", "application/json, application/problem+json");
        server.token().ifPresent(token -> request.header("Authorization", "Bearer " + token.reveal()));
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw unreachable("cannot be reached; check that it runs and that the address is right", e);
        } catch (HttpTimeoutException e) {
            throw unreachable("does not answer in time", e);
        } catch (IOException e) {
            throw unreachable("did not complete the request: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable("did not answer before the request was interrupted", e);
        }
    }

    private Object read(HttpRequest.Builder request, JavaType type) {
        HttpResponse<String> response = send(request);
        if (response.statusCode() != 200) {
            throw failure(response);
        }
        try {
            return Json.MAPPER.readValue(response.body(), type);
        } catch (JacksonException e) {
            throw unreachable("sends an answer that cannot be read; is it a catbox server?", e);
        }
    }

    private RuntimeException failure(HttpResponse<String> response) {
        int status = response.statusCode();
        Problem problem = problem(response);
        if (problem == null && status != 401 && status != 403) {
            return unreachable("answers with status " + status + "; is it a catbox server?", null);
        }
        String message = problem == null ? "this token does not permit that" : problem.message(status);
        return switch (status) {
            case 400, 409 -> new IllegalArgumentException(message);
            case 401 ->
                new TargetException(
                        Kind.REFUSED,
                        server.token().isPresent()
                                ? "the server does not accept this token"
                                : "the server needs a token: set CATBOX_TOKEN, or use --token-file");
            case 403 -> new TargetException(Kind.REFUSED, message);
            case 404 -> new NoSuchElementException(message);
            case 422 -> new TargetException(Kind.NOT_POSSIBLE, message);
            case 503 ->
                new TargetException(
                        problem != null && "/problems/source-not-connected".equals(problem.type())
                                ? Kind.NOT_CONNECTED
                                : Kind.UNREACHABLE,
                        message);
            default -> new TargetException(Kind.NOT_POSSIBLE, "the server failed: " + message);
        };
    }

    private static @Nullable Problem problem(HttpResponse<String> response) {
        boolean isProblem = response.headers()
                .firstValue("Content-Type")
                .filter(type -> type.startsWith("application/problem+json"))
                .isPresent();
        try {
            return isProblem ? Json.MAPPER.readValue(response.body(), Problem.class) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private TargetException unreachable(String what, @Nullable Throwable cause) {
        return new TargetException(Kind.UNREACHABLE, "the server at " + server.url() + " " + what, cause);
    }
}
