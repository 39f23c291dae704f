package catbox.cli.place;

import catbox.cli.output.Json;
import catbox.cli.place.PlaceException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Requests to a server, and its answers, with problems as exceptions whose sentences help. */
final class Api {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofMinutes(2);

    private final Place.Server server;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT).build();

    Api(Place.Server server) {
        this.server = server;
    }

    /** What a server says when something is wrong, as RFC 9457 has it. */
    record Problem(
            @Nullable String type,
            @Nullable String title,
            @Nullable String detail) {

        String words(int status) {
            String said = detail == null || detail.isBlank() ? title : detail;
            return said == null || said.isBlank() ? "it answered with status " + status : said;
        }
    }

    <T> T get(String path, Class<T> type) {
        HttpResponse<String> answer = answered(request(path).GET());
        return read(answer, body -> Json.MAPPER.readValue(body, type));
    }

    <T> List<T> list(String path, Class<T> type) {
        HttpResponse<String> answer = answered(request(path).GET());
        return read(answer, body -> Json.MAPPER.readerForListOf(type).readValue(body));
    }

    <T> T post(String path, Object body, Class<T> type) {
        String json = Json.MAPPER.writeValueAsString(body);
        HttpResponse<String> answer = answered(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
        return read(answer, text -> Json.MAPPER.readValue(text, type));
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
            throw unreachable("cannot be reached: see whether it runs and whether the address is right", e);
        } catch (HttpTimeoutException e) {
            throw unreachable("does not answer in time", e);
        } catch (IOException e) {
            throw unreachable("cannot be worked with: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable("was not waited for", e);
        }
    }

    private HttpResponse<String> answered(HttpRequest.Builder request) {
        HttpResponse<String> response = send(request);
        if (response.statusCode() != 200) {
            throw failure(response);
        }
        return response;
    }

    private <T> T read(HttpResponse<String> answer, Function<String, T> reader) {
        try {
            return reader.apply(answer.body());
        } catch (JacksonException e) {
            throw unreachable("answers with something else than was asked for; is it a catbox server?", e);
        }
    }

    private RuntimeException failure(HttpResponse<String> response) {
        int status = response.statusCode();
        Problem problem = problem(response);
        if (problem == null && status != 401 && status != 403) {
            return unreachable("answers with status " + status + "; is it a catbox server?", null);
        }
        String said = problem == null ? "" : problem.words(status);
        return switch (status) {
            case 400, 409 -> new IllegalArgumentException(said);
            case 401 ->
                new PlaceException(
                        Kind.REFUSED,
                        server.token().isPresent()
                                ? "the server does not accept this token"
                                : "the server wants to know who asks: set CATBOX_TOKEN, or give --token-file",
                        null);
            case 403 -> new PlaceException(Kind.REFUSED, said.isEmpty() ? "this token may not do that" : said, null);
            case 404 -> new NoSuchElementException(said);
            case 422 -> new PlaceException(Kind.NOT_POSSIBLE, said, null);
            case 503 ->
                new PlaceException(
                        problem != null && "/problems/source-not-connected".equals(problem.type())
                                ? Kind.NOT_CONNECTED
                                : Kind.UNREACHABLE,
                        said,
                        null);
            default -> new PlaceException(Kind.NOT_POSSIBLE, "the server failed: " + said, null);
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

    private PlaceException unreachable(String what, @Nullable Throwable cause) {
        return new PlaceException(Kind.UNREACHABLE, "the server at " + server.url() + " " + what, cause);
    }
}
