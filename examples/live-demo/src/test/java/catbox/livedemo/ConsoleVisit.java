package catbox.livedemo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Logs in with the credentials that the demo has printed. */
final class ConsoleVisit implements AutoCloseable {

    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");
    private static final int CHECKS_MAX = 300;

    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private final String address;

    ConsoleVisit(String address, String user, String password) throws IOException, InterruptedException {
        this.address = address;
        Matcher token = TOKEN.matcher(get("/login").body());
        assertThat(token.find()).isTrue();
        String form =
                "_csrf=" + encoded(token.group(1)) + "&username=" + encoded(user) + "&password=" + encoded(password);
        HttpResponse<String> answer = send(request("/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build());
        assertThat(answer.headers().firstValue("Location").orElse("")).doesNotContain("/login");
    }

    void awaitOnFirstPage(String text) throws IOException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        String page = get("/").body();
        for (int i = 0; i < CHECKS_MAX && !page.contains(text); i++) {
            assertThat(never.await(200, TimeUnit.MILLISECONDS)).isFalse();
            page = get("/").body();
        }
        assertThat(page).contains(text);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET().build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path));
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.close();
    }
}
