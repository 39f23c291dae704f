package outbox.http;

import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Destination;
import outbox.spi.Settings;
import outbox.spi.TimeSource;
import outbox.testkit.TransportFixture;

/** An API in the test that accepts batches or single events. */
final class HttpFixture implements TransportFixture {

    static final String TLS_HOST = "api.outbox.invalid";
    private static final int BODY_BYTES_MAX = 300_000;
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");

    /** Selects how the server behaves while it is stopped. */
    enum Down {
        GONE,
        ANSWERS_503,
        ANSWERS_503_WITH_RETRY_AFTER
    }

    private final boolean single;
    private final @Nullable TestTls tls;
    private final Down outage;
    private final TestApi api;
    private volatile boolean unavailable;
    private @Nullable Destination destination;

    /** With TLS, the destination checks addresses and therefore uses its tunnel. */
    HttpFixture(boolean single, @Nullable TestTls tls) {
        this(single, tls, Down.GONE);
    }

    HttpFixture(boolean single, @Nullable TestTls tls, Down outage) {
        this.single = single;
        this.tls = tls;
        this.outage = outage;
        this.api = tls == null ? new TestApi() : new TestApi(tls.server());
        api.reply(request -> {
            if (unavailable) {
                TestApi.Reply busy = new TestApi.Reply(503);
                return outage == Down.ANSWERS_503 ? busy : busy.with("Retry-After", "1");
            }
            if (!("Bearer " + TestApi.TOKEN).equals(request.header("authorization"))) {
                return new TestApi.Reply(401, "who is " + request.header("authorization") + "?");
            }
            if (request.path().equals("/missing")) {
                return new TestApi.Reply(404);
            }
            return new TestApi.Reply(request.body().length > BODY_BYTES_MAX ? 413 : 200);
        });
    }

    private Destination make(String token) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "path", "/events",
                "token", token,
                "mode", single ? "single" : "batch",
                "request-timeout", "5s",
                "final-statuses", "413"));
        if (tls == null) {
            settings.put("base-url", api.url());
            settings.put("allow-private-addresses", "true");
            return new HttpDestinationFactory().create(new Settings("destination test", "test", settings));
        }
        settings.put("base-url", "https://" + TLS_HOST + ":" + api.port());
        settings.put("allowed-networks", "127.0.0.0/8");
        HttpContext context = new HttpContext(
                TimeSource.SYSTEM, host -> new InetAddress[] {InetAddress.getLoopbackAddress()}, tls.client());
        return new HttpDestination(
                "test", HttpConfig.from(new Settings("destination test", "test", settings)), context);
    }

    @Override
    public Destination destination() {
        if (destination == null) {
            destination = make(TestApi.TOKEN);
        }
        return destination;
    }

    @Override
    public Destination withRefusedCredentials() {
        return make(WRONG_SECRET);
    }

    @Override
    public List<Received> received(int atLeast) {
        return messages(api.taken(taken -> messages(taken).size() >= atLeast, patience()));
    }

    private List<Received> messages(List<TestApi.Request> requests) {
        List<Received> messages = new ArrayList<>();
        for (TestApi.Request request : requests) {
            if (single) {
                Map<String, String> headers = new HashMap<>();
                request.headers()
                        .forEach((name, value) -> headers.put(
                                name, URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8)));
                messages.add(Received.of(request.header("outbox-event-id"), null, request.body(), headers));
            } else {
                elements(request.text()).forEach(body -> messages.add(new Received(id(body), null, body, Map.of())));
            }
        }
        return messages;
    }

    private static String id(String body) {
        Matcher matcher = ID.matcher(body);
        return matcher.find() ? matcher.group(1) : "none in " + body;
    }

    /** Returns the texts of an array's elements, unchanged. */
    static List<String> elements(String array) {
        List<String> elements = new ArrayList<>();
        int depth = 0;
        boolean quoted = false;
        int start = 1;
        for (int at = 1; at < array.length(); at++) {
            char c = array.charAt(at);
            if (quoted) {
                at += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (depth == 0 && (c == ',' || c == ']')) {
                elements.add(array.substring(start, at));
                start = at + 1;
            } else if (c == '}' || c == ']') {
                depth--;
            }
        }
        return elements;
    }

    @Override
    public void stopBroker() {
        unavailable = outage != Down.GONE;
        if (!unavailable) {
            api.stop();
        }
    }

    @Override
    public void startBroker() {
        if (!unavailable) {
            api.start();
        }
        unavailable = false;
    }

    @Override
    public void freezeBroker() {
        api.freeze();
    }

    @Override
    public void thawBroker() {
        api.thaw();
    }

    @Override
    public EventEnvelope oversized() {
        return EventEnvelope.ofJson("Large", "\"" + "x".repeat(BODY_BYTES_MAX) + "\"");
    }

    @Override
    public Delivery refused(EventEnvelope event) {
        return new Delivery(event, 1, "/missing", Delivery.NO_PARTITION);
    }

    @Override
    public Duration answersWithin() {
        return Duration.ofSeconds(7);
    }

    @Override
    public boolean takesBinary() {
        return single;
    }

    @Override
    public boolean carriesHeaders() {
        return single;
    }

    @Override
    public void close() {
        if (destination != null) {
            destination.close();
        }
        api.close();
    }
}
