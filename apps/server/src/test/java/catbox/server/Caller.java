package catbox.server;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** An HTTP client of a server, with cookies like a browser or with a token. It follows no redirects. */
public final class Caller implements AutoCloseable {

    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

    private final URI address;
    private final String[] header;

    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieJar()).build();

    private Caller(URI address, String... header) {
        this.address = address;
        this.header = header;
    }

    public static Caller anonymous(TestServer server) {
        return new Caller(server.address());
    }

    public static Caller withToken(TestServer server, String token) {
        return new Caller(server.address(), "Authorization", "Bearer " + token);
    }

    /** A client whose proxy sends this value of X-Forwarded-For. */
    public static Caller forwarded(TestServer server, String forwardedFor) {
        return new Caller(server.address(), "X-Forwarded-For", forwardedFor);
    }

    /** A client that has logged in with a password. */
    public static Caller loggedIn(TestServer server, String user, String password) throws Exception {
        Caller caller = anonymous(server);
        HttpResponse<String> answer = caller.login(user, password);
        if (!location(answer).equals("/")) {
            throw new AssertionError("login of " + user + " led to " + location(answer));
        }
        return caller;
    }

    public HttpResponse<String> login(String user, String password) throws Exception {
        return form("/login", Map.of("username", user, "password", password, "_csrf", csrf("/login")));
    }

    /** The token in a page's first form. */
    public String csrf(String page) throws Exception {
        Matcher matcher = CSRF.matcher(get(page).body());
        if (!matcher.find()) {
            throw new AssertionError("no token on " + page);
        }
        return matcher.group(1);
    }

    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).GET());
    }

    public HttpResponse<String> post(String path, String json, String... headers)
            throws IOException, InterruptedException {
        return send(request(path, headers)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    public HttpResponse<String> form(String path, Map<String, String> fields) throws IOException, InterruptedException {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public <T> HttpResponse<T> open(String path, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(request(path).GET().build(), handler);
    }

    public static String location(HttpResponse<?> answer) {
        return answer.headers().firstValue("Location").orElse("nowhere, status " + answer.statusCode());
    }

    /** The Set-Cookie header of a cookie; empty if the answer sets none. */
    public static String cookie(HttpResponse<?> answer, String name) {
        return answer.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .findFirst()
                .orElse("");
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return header.length == 0 ? request : request.headers(header);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
