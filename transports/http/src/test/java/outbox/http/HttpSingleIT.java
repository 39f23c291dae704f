package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.testkit.ManualTime;
import outbox.util.JsonCodec;

/** Checks single mode: one request for each event, with headers and a signature. */
class HttpSingleIT {

    private static final String SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String NEXT_SECRET = Base64.getEncoder().encodeToString(new byte[32]);

    private final TestApi api = new TestApi();

    @AfterEach
    void closeApi() {
        api.close();
    }

    private static Delivery delivery(String json, Map<String, String> headers) {
        return new Delivery(
                EventEnvelope.builder("Order \"Placed\" 100%é")
                        .eventId("id-1")
                        .orderingKey("k")
                        .headers(headers)
                        .payloadJson(json)
                        .build(),
                2);
    }

    @Test
    void usesTheBaseUrlUnlessAPathIsSet() throws Exception {
        try (HttpDestination destination = Attempts.to(api, "mode", "single", "base-url", api.url() + "/hook");
                HttpDestination withPath = Attempts.to(api, "mode", "single", "path", "/{key}")) {
            Attempts.of(destination, Attempts.json("1"));
            Attempts.of(withPath, Attempts.json("1"));

            assertThat(api.seen()).extracting(TestApi.Request::path).containsExactly("/hook", "/k");
            assertThat(destination.traits().eventsPerKeyMax()).isOne();
        }
    }

    @Test
    void sendsEventsOfOneKeyOneAfterTheOther() throws Exception {
        api.reply(request -> new TestApi.Reply(request.text().equals("2") ? 500 : 200));
        try (HttpDestination destination = Attempts.to(api, "mode", "single")) {
            assertThat(Attempts.kinds(Attempts.of(destination, Attempts.numbers(3))))
                    .containsExactly("Delivered", "Retryable", "CALL");
            assertThat(api.seen()).extracting(TestApi.Request::text).containsExactly("1", "2");
        }
    }

    @Test
    void headersCanNeitherInjectNorImpersonateOthers() throws Exception {
        Map<String, String> hostile = Map.of(
                "evil", "x\r\nX-Injected: 1",
                "na me\n", "é %41 ",
                "Authorization", "Bearer stolen",
                "Host", "evil.example",
                "Content-Length", "0",
                "webhook-signature", "v1,forged",
                "X-Fixed", "changed",
                "outbox-event-id", "another");
        try (HttpDestination destination =
                Attempts.to(api, "mode", "single", "token", "right", "header.X-Fixed", "fixed")) {
            assertThat(Attempts.of(destination, delivery("{}", hostile))).isInstanceOf(Outcome.Delivered.class);

            TestApi.Request request = api.seen().get(0);
            assertThat(request.headers())
                    .containsEntry("evil", "x%0D%0AX-Injected: 1")
                    .containsEntry("na%20me%0A", "%C3%A9 %2541%20")
                    .containsEntry("authorization", "Bearer right")
                    .containsEntry("host", "127.0.0.1:" + api.port())
                    .containsEntry("x-fixed", "fixed")
                    .containsEntry("outbox-header-authorization", "Bearer stolen")
                    .containsEntry("outbox-header-host", "evil.example")
                    .containsEntry("outbox-header-x-fixed", "changed")
                    .containsEntry("outbox-header-webhook-signature", "v1,forged")
                    .containsEntry("outbox-event-id", "id-1")
                    .containsEntry("outbox-event-type", "Order \"Placed\" 100%25%C3%A9")
                    .doesNotContainKeys("x-injected", "webhook-signature");
            assertThat(request.text()).isEqualTo("{}");
        }
    }

    @Test
    void writesCloudEventsInBinaryMode() throws Exception {
        try (HttpDestination destination =
                Attempts.to(api, "mode", "single", "form", "cloudevents", "source", "/shop")) {
            Attempts.of(destination, delivery("{\"a\":1}", Map.of("shop", "a b")));

            assertThat(api.seen().get(0).headers())
                    .containsEntry("ce-specversion", "1.0")
                    .containsEntry("ce-id", "id-1")
                    .containsEntry("ce-source", "/shop")
                    .containsEntry("ce-type", "Order%20%22Placed%22%20100%25%C3%A9")
                    .containsEntry("ce-attempt", "2")
                    .containsEntry("content-type", "application/json")
                    .containsEntry("shop", "a b");
            assertThat(api.seen().get(0).text()).isEqualTo("{\"a\":1}");
        }
    }

    @Test
    void writesCloudEventsInStructuredMode() throws Exception {
        try (HttpDestination destination = Attempts.to(api, "mode", "single", "form", "cloudevents-structured")) {
            Attempts.of(destination, delivery("{\"a\":1}", Map.of()));

            TestApi.Request request = api.seen().get(0);
            JsonCodec.validate(request.text());
            assertThat(request.text()).contains("\"id\":\"id-1\"", "\"data\":{\"a\":1}");
            assertThat(request.header("content-type")).isEqualTo("application/cloudevents+json");
            assertThat(Attempts.of(destination, Attempts.stored("},{"))).isInstanceOf(Outcome.Rejected.class);
        }
    }

    @Test
    void acceptsPayloadsThatAreNotJson() throws Exception {
        try (HttpDestination destination = Attempts.to(api, "mode", "single")) {
            Attempts.of(destination, new Delivery(EventEnvelope.ofBytes("B", new byte[] {0, -1}), 1));

            assertThat(api.seen().get(0).body()).containsExactly(0, -1);
            assertThat(api.seen().get(0).header("content-type")).isEqualTo("application/octet-stream");
        }
    }

    // ---- signatures ------------------------------------------------------------------------------------------------

    @Test
    void signsByEverySecret() throws Exception {
        ManualTime time = new ManualTime(Instant.ofEpochSecond(1_614_265_330));
        HttpConfig config = HttpConfig.from(Attempts.settings(
                "base-url",
                api.url(),
                "allow-private-addresses",
                "true",
                "mode",
                "single",
                "signing-secrets",
                "whsec_" + SECRET,
                "signing-secret.next",
                "whsec_" + NEXT_SECRET));
        HttpContext context = new HttpContext(time, InetAddress::getAllByName, null);
        try (HttpDestination destination = new HttpDestination("test", config, context)) {
            Attempts.of(destination, delivery("{\"ü\":1}", Map.of()));

            TestApi.Request request = api.seen().get(0);
            String id = request.header("webhook-id");
            String timestamp = request.header("webhook-timestamp");
            assertThat(id).isEqualTo("id-1");
            assertThat(timestamp).isEqualTo("1614265330");
            assertThat(request.header("webhook-signature").split(" "))
                    .containsExactly(
                            expected(SECRET, id, timestamp, request), expected(NEXT_SECRET, id, timestamp, request));
        }
    }

    /** Computes the signature as a receiver does. */
    private static String expected(String secret, String id, String timestamp, TestApi.Request request)
            throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(request.body()));
    }

    @Test
    void signsNothingWithoutSecrets() throws Exception {
        try (HttpDestination destination = Attempts.to(api, "mode", "single")) {
            Attempts.of(destination, List.of(Attempts.json("1")));

            assertThat(api.seen().get(0).headers()).doesNotContainKeys("webhook-id", "webhook-signature");
        }
    }
}
