package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.DestinationTraits;

/** Checks batch mode: an array of payloads, and the outcomes of the response. */
class HttpBatchIT {

    private final TestApi api = new TestApi();

    @AfterEach
    void closeApi() {
        api.close();
    }

    @Test
    void postsPayloadsAsAJsonArrayInOrder() throws Exception {
        try (HttpDestination destination = Attempts.to(api, "token", "t0ken")) {
            List<Outcome> outcomes = Attempts.of(
                    destination, List.of(Attempts.json("{\"a\": 1}"), Attempts.json("\"é\""), Attempts.json("null")));

            assertThat(outcomes)
                    .containsOnly(new Outcome.Delivered(api.url() + "/api/events/batch", -1, -1))
                    .hasSize(3);
            assertThat(api.seen()).singleElement().satisfies(request -> {
                assertThat(request.text()).isEqualTo("[{\"a\": 1},\"é\",null]");
                assertThat(request.path()).isEqualTo("/api/events/batch");
                assertThat(request.header("content-type")).isEqualTo("application/json");
                assertThat(request.header("authorization")).isEqualTo("Bearer t0ken");
            });
        }
    }

    @Test
    void requestsTenKeysAtOnceAndAHundredEventsOfOneKey() {
        try (HttpDestination destination = Attempts.to(api);
                HttpDestination other = Attempts.to(api, "batch-size", "7", "keys-in-flight", "3")) {
            assertThat(destination.traits()).isEqualTo(DestinationTraits.requestResponse());
            assertThat(other.traits().eventsPerKeyMax()).isEqualTo(7);
            assertThat(other.traits().keysInFlightMax()).isEqualTo(3);
        }
    }

    @Test
    void sendsNoMoreInOneRequestThanTheBatchSize() throws Exception {
        try (HttpDestination destination = Attempts.to(api, "batch-size", "2")) {
            Attempts.of(destination, Attempts.numbers(5));

            assertThat(api.seen()).extracting(TestApi.Request::text).containsExactly("[1,2]", "[3,4]", "[5]");
        }
    }

    @Test
    void usesThePathOfTheTemplateOrTheRoute() throws Exception {
        try (HttpDestination destination =
                Attempts.to(api, "base-url", api.url() + "/v1/", "path", "events/{eventType}")) {
            Attempts.of(
                    destination,
                    List.of(
                            Attempts.json("1"),
                            Attempts.at("/jobs?x=1", "2"),
                            Attempts.at("/jobs?x=1", "3"),
                            Attempts.at("a b/ä", "4")));

            assertThat(api.seen())
                    .extracting(request -> request.path() + " " + request.text())
                    .containsExactly("/v1/events/OrderPlaced [1]", "/v1/jobs?x=1 [2,3]", "/v1/a%20b/%C3%A4 [4]");
        }
    }

    @Test
    void aFailingPathDelaysTheLaterEventsOfTheKey() throws Exception {
        api.reply(request -> new TestApi.Reply(request.path().equals("/b") ? 500 : 200));
        try (HttpDestination destination = Attempts.to(api)) {
            List<Outcome> outcomes = Attempts.of(
                    destination, List.of(Attempts.at("/a", "1"), Attempts.at("/b", "2"), Attempts.at("/a", "3")));

            assertThat(Attempts.kinds(outcomes)).containsExactly("Delivered", "Retryable", "CALL");
            assertThat(api.taken()).extracting(TestApi.Request::text).containsExactly("[1]");
        }
    }

    @Test
    void rejectsAddressesThatCannotBePaths() throws Exception {
        try (HttpDestination destination = Attempts.to(api, "path", "/{tenantId}")) {
            assertThat(Attempts.of(destination, Attempts.json("1")).toString()).contains("Rejected", "tenantId");
            for (String climbing : List.of("/a/../b", "..", "/a/%2E%2e/b", "//evil.example/", "/a\\..\\b")) {
                assertThat(Attempts.of(destination, Attempts.at(climbing, "1"))).isInstanceOf(Outcome.Rejected.class);
            }
            assertThat(Attempts.of(destination, Attempts.at("@evil.example:80", "1")))
                    .isInstanceOf(Outcome.Delivered.class);
            assertThat(api.seen()).extracting(TestApi.Request::path).containsExactly("/@evil.example:80");
        }
    }

    @Test
    void rejectsAnInvalidPayloadAndDeliversTheOthers() throws Exception {
        Delivery binary = new Delivery(
                EventEnvelope.builder("B")
                        .orderingKey("k")
                        .payloadBytes(new byte[] {1})
                        .build(),
                1);
        try (HttpDestination destination = Attempts.to(api)) {
            for (Delivery bad : List.of(binary, Attempts.stored("],["), Attempts.stored("1,2"))) {
                List<Outcome> outcomes = Attempts.of(
                        destination, List.of(Attempts.json("1"), Attempts.json("2"), bad, Attempts.json("3")));

                assertThat(Attempts.kinds(outcomes)).containsExactly("Delivered", "Delivered", "Rejected", "CALL");
            }
            assertThat(api.seen()).extracting(TestApi.Request::text).containsOnly("[1,2]");
        }
    }

    // ---- statuses --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 299})
    void everyStatusOfSuccessDeliversAll(int status) throws Exception {
        api.reply(request -> new TestApi.Reply(status));
        try (HttpDestination destination = Attempts.to(api)) {
            assertThat(Attempts.kinds(Attempts.of(destination, Attempts.numbers(2))))
                    .containsOnly("Delivered");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "301, ADDRESS",
        "304, ADDRESS",
        "308, ADDRESS",
        "400, Retryable",
        "401, DESTINATION",
        "403, ADDRESS",
        "404, ADDRESS",
        "405, ADDRESS",
        "408, Unanswered",
        "410, ADDRESS",
        "413, Retryable",
        "422, Retryable",
        "429, DESTINATION",
        "500, Retryable",
        "502, DESTINATION",
        "503, DESTINATION",
        "504, DESTINATION",
        "599, Retryable"
    })
    void everyOtherStatusSaysWhatItBlamesAndChargesAtMostTheFirst(int status, String kind) throws Exception {
        api.reply(request ->
                new TestApi.Reply(status, status == 304 ? "" : "no\r\nway").with("Location", api.url() + "/elsewhere"));
        try (HttpDestination destination = Attempts.to(api)) {
            List<Outcome> outcomes = Attempts.of(destination, Attempts.numbers(2));

            boolean charged = kind.equals("Retryable") || kind.equals("Unanswered");
            assertThat(Attempts.kinds(outcomes)).containsExactly(kind, charged ? "CALL" : kind);
            assertThat(Attempts.error(outcomes.get(0))).contains("answered " + status, status == 304 ? "" : "no way");
            // No redirect is followed and nothing is retried. Only a response that one event may have caused is
            // bisected.
            assertThat(api.seen()).hasSize(kind.equals("Retryable") ? 2 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 413, 500})
    void chargesTheOneEventThatFailsAndNoneBesideIt(int status) throws Exception {
        api.reply(request -> new TestApi.Reply(request.text().matches(".*\\b13\\b.*") ? status : 200));
        try (HttpDestination destination = Attempts.to(api)) {
            List<String> kinds = Attempts.kinds(Attempts.of(destination, Attempts.numbers(20)));

            assertThat(kinds.subList(0, 12)).containsOnly("Delivered");
            assertThat(kinds.get(12)).isEqualTo("Retryable");
            assertThat(kinds.subList(13, 20)).containsOnly("CALL");
        }
    }

    @Test
    void showsTheBeginningOfTheResponseAndNoSecret() throws Exception {
        api.reply(request -> new TestApi.Reply(
                500,
                "you said " + request.header("authorization") + " and " + request.header("x-key") + "x".repeat(500)));
        try (HttpDestination destination = Attempts.to(api, "token", "t0ken-7", "header.X-Key", "k3y-8")) {
            Outcome outcome = Attempts.of(destination, Attempts.json("1"));

            assertThat(outcome.toString()).contains("you said Bearer (secret) and (secret)xxx");
            assertThat(Attempts.error(outcome))
                    .doesNotContain("t0ken-7", "k3y-8")
                    .hasSizeLessThan(300);
            assertThat(destination.toString()).doesNotContain("t0ken-7");
        }
    }

    @Test
    void honoursRetryAfter() throws Exception {
        api.reply(request -> new TestApi.Reply(429).with("Retry-After", "7"));
        try (HttpDestination destination = Attempts.to(api)) {
            assertThat(Attempts.of(destination, Attempts.json("1")))
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            unavailable -> assertThat(unavailable.after()).isEqualTo(Duration.ofSeconds(7)));
        }
    }

    @Test
    void aFinalStatusRejectsTheOneEventThatCausesIt() throws Exception {
        api.reply(request -> new TestApi.Reply(request.text().matches(".*\\b13\\b.*") ? 422 : 200, "13 is bad"));
        try (HttpDestination destination = Attempts.to(api, "final-statuses", "400, 422")) {
            List<Outcome> outcomes = Attempts.of(destination, Attempts.numbers(20));

            assertThat(Attempts.kinds(outcomes).subList(0, 12)).containsOnly("Delivered");
            assertThat(outcomes.get(12).toString()).contains("Rejected", "answered 422: 13 is bad");
            assertThat(Attempts.kinds(outcomes).subList(13, 20)).containsOnly("CALL");
            assertThat(api.taken().stream().flatMap(request -> HttpFixture.elements(request.text()).stream()))
                    .containsExactlyElementsOf(
                            IntStream.range(1, 13).mapToObj(Integer::toString).toList());
        }
    }

    @Test
    void aBatchThatIsTooLargeIsSentInParts() throws Exception {
        api.reply(request -> new TestApi.Reply(request.body().length > 8 ? 413 : 200));
        try (HttpDestination destination = Attempts.to(api, "final-statuses", "413")) {
            assertThat(Attempts.kinds(Attempts.of(destination, Attempts.numbers(16))))
                    .containsOnly("Delivered");
            assertThat(api.taken().stream()
                            .flatMap(request -> HttpFixture.elements(request.text()).stream())
                            .collect(Collectors.joining(",")))
                    .isEqualTo("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16");
        }
    }

    // ---- a result for each event -----------------------------------------------------------------------------------

    @Test
    void readsAResultForEachEvent() throws Exception {
        api.reply(
                request -> new TestApi.Reply(
                        207,
                        "{\"results\":[{\"status\":\"delivered\"},{\"status\":422,\"reason\":\"bad\"},{\"status\":200},"
                                + "{\"status\":\"retry\",\"reason\":\"busy\",\"retryAfterSeconds\":5},{\"status\":\"delivered\"}]}"));
        try (HttpDestination destination = Attempts.to(api, "item-results", "true", "final-statuses", "422")) {
            List<Outcome> outcomes = Attempts.of(destination, Attempts.numbers(5));

            assertThat(Attempts.kinds(outcomes))
                    .containsExactly("Delivered", "Rejected", "Delivered", "Retryable", "CALL");
            assertThat(outcomes.get(1).toString()).contains("bad");
            assertThat(outcomes.get(3).toString()).contains("busy", "PT5S");
            assertThat(outcomes.get(4)).isEqualTo(KeyCall.BEHIND);
        }
    }

    @Test
    void aResponseWithoutResultsIsRetriedOnlyIfResultsWereExpected() throws Exception {
        for (String answer : List.of("", "ok", "{}", "[]", "[{\"status\":\"delivered\"}]", "[1,2]")) {
            api.reply(request -> new TestApi.Reply(200, answer));
            try (HttpDestination expecting = Attempts.to(api, "item-results", "true");
                    HttpDestination other = Attempts.to(api)) {
                assertThat(Attempts.kinds(Attempts.of(expecting, Attempts.numbers(2))))
                        .containsExactly("Retryable", "CALL");
                assertThat(Attempts.kinds(Attempts.of(other, Attempts.numbers(2))))
                        .containsOnly("Delivered");
            }
        }
    }

    @Test
    void readsOnlyTheBeginningOfALongResponse() throws Exception {
        String many = String.join(",", Collections.nCopies(5_000, "{\"status\":\"delivered\"}"));
        api.reply(request -> new TestApi.Reply(200, "[" + many + "]"));
        try (HttpDestination expecting = Attempts.to(api, "item-results", "true");
                HttpDestination other = Attempts.to(api)) {
            assertThat(Attempts.error(Attempts.of(expecting, Attempts.json("1"))))
                    .contains("longer than 65536 bytes");
            assertThat(Attempts.of(other, Attempts.json("1"))).isInstanceOf(Outcome.Delivered.class);
        }
    }
}
