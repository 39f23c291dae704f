package catbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.Parameters;
import outbox.admin.Role;
import outbox.admin.view.DestinationView;
import outbox.model.EventStatus;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.Finding;

/** Every page in every state, as a browser without scripts gets it. */
class PagesTest {

    private static final Pattern OPERATION = Pattern.compile("data-operation=\"([a-z]+)\"");
    private static final String HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

    private static final TestConsole CONSOLE = new TestConsole();

    private final TestConsole console = CONSOLE;

    @BeforeEach
    void forget() {
        console.forget();
    }

    @AfterAll
    static void close() throws LifecycleException {
        CONSOLE.close();
    }

    /** Events of which one is dead, one waits for its retry, and one is done. */
    private String trouble(String type, String error) {
        TestSource orders = console.orders();
        orders.node("node-1", 0, 1, 2, 3);
        orders.done(orders.publish("order-1"));
        String dead = orders.publish("order-2");
        orders.die(dead, error);
        String failed = orders.publish("order-3", builder -> builder.payloadJson("{\"total\":42}"));
        orders.fail(failed, error);
        orders.publish("order-3");
        orders.destinations.add(new DestinationView(
                "kafka",
                "kafka",
                "down",
                false,
                3,
                Instant.EPOCH,
                Instant.EPOCH,
                error,
                List.of(new DestinationView.Address(type, Instant.EPOCH, Instant.EPOCH, error))));
        orders.findings.add(new Finding("topic-missing", Finding.Severity.ERROR, type, error, "Create it."));
        return dead;
    }

    private List<String> paths(String dead) {
        return List.of(
                "/",
                "/events",
                "/events?state=dead",
                "/event?id=" + dead,
                "/key",
                "/key?key=order-3",
                "/key?key=order-2",
                "/dead",
                "/cluster",
                "/destinations",
                "/routes?type=OrderPlaced",
                "/pauses",
                "/audit",
                "/doctor",
                "/resend",
                "/purge",
                "/edit?id=" + dead,
                "/confirm/replay?state=dead",
                "/confirm/discard?id=" + dead,
                "/confirm/purge?days=30",
                "/confirm/resend?from=2026-01-01T00:00&before=2026-01-02T00:00&destination=kafka",
                "/login");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/events",
                "/key",
                "/key?key=nobody",
                "/dead",
                "/cluster",
                "/destinations",
                "/routes",
                "/pauses",
                "/audit",
                "/doctor",
                "/resend",
                "/purge",
                "/login"
            })
    void isShownOfAnEmptySource(String path) {
        HttpResponse<String> page = console.get(path);

        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.body()).contains("<main id=\"main\"");
    }

    @Test
    void showsEveryPageOfASourceInTrouble() {
        String dead = trouble("The topic is missing", "topic orders is not there");
        console.pulsesForAWhile();
        console.post("/do/pause", "kind", "key", "name", "order-9", "reason", "asked by the shop");

        for (String path : paths(dead)) {
            HttpResponse<String> page = console.get(path);
            assertThat(page.statusCode()).as(path + page.body()).isEqualTo(200);
            assertThat(page.body()).as(path).doesNotContain("class=\"empty\"");
        }
        assertThat(console.get("/").body())
                .contains("order-3", "topic orders is not there", "2 of 6 partitions", "Unavailable", "order-9");
        assertThat(console.get("/event?id=" + dead).body()).contains("Attempt 1 failed at kafka, on node node-1");
        assertThat(console.get("/key?key=order-3").body()).contains("Why it is waiting");
    }

    @Test
    void hasALinkOrButtonForEveryOperation() {
        String dead = trouble("t", "refused");
        console.post("/do/pause", "kind", "key", "name", "order-9", "reason", "asked by the shop");
        Set<String> found = new TreeSet<>();
        for (String path : paths(dead)) {
            OPERATION.matcher(console.get(path).body()).results().forEach(match -> found.add(match.group(1)));
        }

        assertThat(found).as("operations with a page or a button of their own").hasSizeGreaterThanOrEqualTo(22);
        OPERATION.matcher(console.get("/operations").body()).results().forEach(match -> found.add(match.group(1)));
        assertThat(found)
                .isEqualTo(Stream.of(Operation.values())
                        .map(Operation::id)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void hasAFormForEveryOperation(Operation operation) {
        trouble("t", "refused");
        String form = console.get("/operation/" + operation.id()).body();

        assertThat(console.get("/operations").body()).contains("href=\"/operation/" + operation.id() + "\"");
        assertThat(form)
                .contains(
                        "data-operation=\"" + operation.id() + "\"",
                        operation.needs().isEmpty() ? "" : "<h1");
        // What has no effect is requested with GET, and puts no secret into the address.
        boolean counts = Request.Bulk.class.isAssignableFrom(operation.requestType());
        assertThat(form.contains("method=\"post\" action=\"/do/" + operation.id() + "\"")
                        || form.contains("action=\"/do/" + operation.id() + "\" method=\"post\""))
                .isEqualTo(operation.kind() != Operation.Kind.SEE && !counts);
        for (Parameters.Parameter parameter : Parameters.of(operation.requestType())) {
            if (!parameter.name().equals("dry-run") && !parameter.name().equals("after")) {
                assertThat(form).contains("name=\"" + parameter.name() + "\"");
            }
        }
    }

    @Test
    void showsAResultAndDoesWhatAFormOfAnOperationSays() {
        String dead = trouble("t", "refused");

        assertThat(console.get("/operation/nodes").body()).contains(">node-1<", ">version<");
        assertThat(console.get("/operation/event?id=" + dead).body()).contains(dead, ">explanation<");
        assertThat(console.post("/do/reveal", "id", dead).body()).contains("the card of a customer");
        assertThat(console.get("/confirm/discard?id=" + dead + "&reason=old").body())
                .contains("This cannot be undone");
        console.post("/do/drain", "node", "node-1", "reason", "update");
        assertThat(console.get("/pauses").body()).contains("node-1");
        assertThat(console.post("/do/overview").statusCode()).isEqualTo(404);
        assertThat(console.get("/confirm/pause?kind=source&reason=x").statusCode())
                .isEqualTo(404);
    }

    @Test
    void showsOnlyButtonsThatTheUserMayUse() {
        String dead = trouble("t", "refused");
        console.role = Role.VIEWER;
        console.readsPayloads = false;

        for (String path : List.of(
                "/",
                "/events?state=dead",
                "/event?id=" + dead,
                "/key?key=order-2",
                "/dead",
                "/cluster",
                "/destinations",
                "/routes",
                "/operations",
                "/pauses")) {
            assertThat(OPERATION.matcher(console.get(path).body()).results())
                    .as(path)
                    .extracting(
                            match -> Operation.of(match.group(1)).orElseThrow().kind())
                    .containsOnly(Operation.Kind.SEE);
        }
    }

    @Test
    void writesWhatOthersWroteAsText() {
        TestSource orders = console.orders();
        orders.node("node-1", 0, 1);
        String id = orders.publish(HOSTILE, builder -> builder.tenantId(HOSTILE));
        orders.die(id, HOSTILE);
        orders.fail(orders.publish("k" + HOSTILE), HOSTILE);
        orders.destinations.add(new DestinationView(
                HOSTILE,
                "kafka",
                "down",
                false,
                3,
                Instant.EPOCH,
                Instant.EPOCH,
                HOSTILE,
                List.of(new DestinationView.Address(HOSTILE, Instant.EPOCH, Instant.EPOCH, HOSTILE))));
        orders.findings.add(new Finding("code", Finding.Severity.ADVICE, HOSTILE, HOSTILE, HOSTILE));
        List<String> all = new ArrayList<>(paths(id));
        all.add("/key?key=" + Links.encoded(HOSTILE));
        all.add("/events?type=" + Links.encoded(HOSTILE));

        for (String path : all) {
            assertThat(console.get(path).body()).as(path).doesNotContain("<script>alert", "<img");
        }
    }

    @Test
    void hasNoScriptsOrStylesWithinPages() {
        String dead = trouble("t", "refused");
        for (String path : paths(dead)) {
            String page = console.get(path).body().toLowerCase(Locale.ROOT);
            assertThat(page)
                    .as(path)
                    .doesNotContainPattern("<script(?![^>]*\\ssrc=)")
                    .doesNotContain("<style")
                    .doesNotContainPattern("\\sstyle=")
                    .doesNotContainPattern("\\son[a-z]+=")
                    .doesNotContain("javascript:", "http://", "https://");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"console.css", "console.js", "htmx.min.js", "icons.svg", "favicon.svg"})
    void servesItsFilesItself(String name) {
        HttpResponse<String> file = console.get("/assets/" + name);

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Cache-Control").orElse("")).contains("max-age");
    }

    @Test
    void namesItsFilesWithAFingerprintOfTheirContents() {
        Matcher style = Pattern.compile("/assets/console-[0-9a-f]{32}\\.css")
                .matcher(console.get("/").body());

        assertThat(style.find()).isTrue();
        assertThat(console.get(style.group()).statusCode()).isEqualTo(200);
        assertThat(console.get("/login").body()).contains(style.group());
    }

    @Test
    void masksAPayloadUntilItIsRevealed() {
        String dead = trouble("t", "refused");

        assertThat(console.get("/event?id=" + dead).body()).doesNotContain("the card of a customer");
        assertThat(console.post("/reveal", "id", dead).body()).contains("the card of a customer");
        assertThat(console.get("/audit").body()).contains("reveal");
    }

    @Test
    void replaysADeadEventInThreeClicksFromTheFirstPage() {
        String dead = trouble("t", "refused");
        assertThat(console.get("/").body()).contains("/event?id=" + dead);
        assertThat(console.get("/event?id=" + dead).body()).contains("action=\"/do/replay\"");

        HttpResponse<String> after = console.post("/do/replay", "id", dead, "back", "/event?id=" + dead);

        assertThat(after.statusCode()).isEqualTo(302);
        assertThat(console.orders().event(dead).status()).isEqualTo(EventStatus.NEW);
        assertThat(console.get("/event?id=" + dead).body()).contains("banner is-good");
    }

    @Test
    void destroysOnlyWhatWasConfirmed() {
        String dead = trouble("t", "refused");

        assertThat(console.post("/do/discard", "id", dead, "reason", "obsolete").statusCode())
                .isEqualTo(400);
        assertThat(console.orders().event(dead).status()).isEqualTo(EventStatus.DEAD);

        console.post("/do/discard", "id", dead, "reason", "obsolete", "confirm", "true");
        assertThat(console.orders().event(dead).status()).isEqualTo(EventStatus.DONE);
    }

    @Test
    void goesBackToItsOwnPagesOnly() {
        String dead = trouble("t", "refused");

        HttpResponse<String> answer = console.post("/do/replay", "id", dead, "back", "//elsewhere.example/");

        assertThat(answer.headers().firstValue("Location").orElse("")).doesNotContain("elsewhere");
    }

    @Test
    void saysWhatIsWrongInsteadOfAPage() {
        assertThat(console.get("/event?id=nothing").statusCode()).isEqualTo(404);
        assertThat(console.get("/?source=nobody").body()).contains("There is no source");
        assertThat(console.get("/events?state=sleepy").statusCode()).isEqualTo(400);
        console.states.put("orders", new Sources.State("orders", "connecting", "the database refuses"));
        HttpResponse<String> down = console.get("/");
        assertThat(down.statusCode()).isEqualTo(503);
        assertThat(down.body()).contains("the database refuses");
    }

    @Test
    void takesIdsThatHaveACommaAsTheyAre() {
        TestSource orders = console.orders();
        orders.node("node-1", 0, 1, 2, 3);
        String dead = orders.publish("order-1", builder -> builder.eventId("a, b/c%2F;d"));
        orders.die(dead, "refused");
        String address = "/confirm/replay" + Links.query(new String[] {"id", dead}, "?");

        assertThat(console.get(address).body()).contains("value=\"a, b/c%2F;d\"", "replay it");
        console.post("/do/replay", "id", dead);

        assertThat(orders.event(dead).status()).isEqualTo(EventStatus.NEW);
        assertThat(console.get("/event" + Links.query(new String[] {"id", dead}, "?"))
                        .body())
                .contains("a, b/c%2F;d");
    }

    @Test
    void keepsTheBlanksOfAKey() {
        console.orders().node("node-1", 0, 1, 2, 3, 4, 5);
        console.orders().publish(" order-1 ");

        assertThat(console.get("/key?key=+order-1+").body()).contains("Pending, in order");
        assertThat(console.get("/events?key=+order-1+").body()).contains("OrderPlaced");
    }

    @Test
    void showsADashForWhatIsNotKnownAndAPlusForWhatIsMore() {
        Instant now = Instant.now();
        console.pulses.add(new Sources.Pulse(now, 1, 0, null, null, null, null, null));
        Chart lag = Chart.all(console.pulses, now).get(2);

        assertThat(lag.lines().get(0).latest()).isEqualTo("–");
        assertThat(lag.lines().get(0).path()).isEmpty();
        assertThat(new ConsoleText(InstantSource.system()).count(new BoundedCount(10_000, true)))
                .isEqualTo("10,000+");
        assertThat(new ConsoleText(InstantSource.system()).count(null)).isEqualTo("–");
    }

    @Test
    void drawsItsScaleFromWhatItShows() {
        Instant now = Instant.now();
        console.pulses.add(new Sources.Pulse(now.minusSeconds(600), 9_000, 0, null, null, null, null, null));
        console.pulses.add(new Sources.Pulse(now, 3, 0, null, null, null, null, null));

        assertThat(Chart.all(console.pulses, now).get(0).top()).isEqualTo("5");
    }

    @Test
    void sharesOneReadingAmongAllPagesThatRefreshThemselves() {
        String dead = trouble("t", "refused");
        assertThat(console.get("/").body()).contains("1 event, OrderPlaced");
        console.post("/do/discard", "id", dead, "reason", "obsolete", "confirm", "true");

        assertThat(console.get("/attention").body())
                .contains("1 event, OrderPlaced")
                .doesNotContain("<nav");
        assertThat(console.get("/").body()).doesNotContain("1 event, OrderPlaced");
        assertThat(console.get("/attention").body()).doesNotContain("1 event, OrderPlaced");
    }

    @Test
    void takesAllHeadersAwayWhereTheFormHadThem() {
        TestSource orders = console.orders();
        orders.node("node-1", 0, 1, 2, 3);
        String dead = orders.publish("order-1", builder -> builder.headers(Map.of("color", "red")));
        orders.die(dead, "refused");

        console.post("/do/edit", "id", dead, "payload", "{}", "headers", "", "reason", "r", "confirm", "true");
        assertThat(orders.event(dead).headersJson()).contains("red");
        console.post("/do/edit", "id", dead, "headers", "", "shown", "color=red", "reason", "r", "confirm", "true");
        assertThat(String.valueOf(orders.event(dead).headersJson())).doesNotContain("red");
    }

    /** Browsers send the inputs that were not filled in, and end lines with two characters. */
    @Test
    void leavesAloneWhatWasNotFilledInAndKeepsTheLinesOfAPayload() {
        TestSource orders = console.orders();
        orders.node("node-1", 0, 1, 2, 3);
        String dead = orders.publish("order-1", builder -> builder.headers(Map.of("color", "red")));
        orders.die(dead, "refused");

        console.post("/do/edit", "id", dead, "payload", "{\r\n}", "header", "", "reason", "r", "confirm", "true");

        assertThat(orders.event(dead).payloadJson()).isEqualTo("{\n}");
        assertThat(orders.event(dead).headersJson()).contains("red");
    }

    @Test
    void saysSinceWhenAndWhyADestinationOrAnAddressOfItIsUnavailableAndWhenItIsProbed() {
        Instant since = Instant.parse("2026-03-01T10:00:00Z");
        Instant addressSince = since.plusSeconds(60);
        Instant next = Instant.parse("2026-03-01T10:02:00Z");
        Instant addressNext = next.plusSeconds(60);
        console.orders()
                .destinations
                .add(new DestinationView(
                        "kafka",
                        "kafka",
                        "down",
                        false,
                        0,
                        since,
                        next,
                        "connection refused",
                        List.of(new DestinationView.Address(
                                "invoices", addressSince, addressNext, "the topic does not exist"))));
        console.orders()
                .destinations
                .add(new DestinationView("lake", "file", "unknown", false, 0, null, null, null, List.of()));

        String page = console.get("/destinations").body().replaceAll("\\s+", " ");
        assertThat(page)
                .contains(">Unavailable<", ">Not contacted yet<")
                .containsPattern("Unavailable since <time datetime=\"" + since + "\"[^,]*, next probe <time datetime=\""
                        + next + "\"")
                .contains(">connection refused<")
                .containsPattern("Address <strong>invoices</strong> is unavailable since <time datetime=\""
                        + addressSince + "\"[^,]*, next probe <time datetime=\"" + addressNext + "\"")
                .contains(">the topic does not exist<")
                .doesNotContain(">Healthy<");
    }

    @Test
    void resumesOnlyWhatAnOperatorHasPaused() {
        console.orders()
                .destinations
                .add(new DestinationView("lake", "file", "up", true, 0, null, null, null, List.of()));

        assertThat(console.get("/destinations").body())
                .contains("Paused for this node", "#paused")
                .doesNotContain("action=\"/do/resume\"");
        console.post("/do/pause", "kind", "destination", "name", "lake", "reason", "cleaning");
        assertThat(console.get("/destinations").body()).contains(">Paused<", "action=\"/do/resume\"");
    }

    @Test
    void offersToResumeARouteOnlyWhenAnOperatorHasPausedIt() {
        console.orders().routePaused = true;
        assertThat(console.get("/routes").body())
                .contains("Paused for this node")
                .doesNotContain("action=\"/do/resume\"", "action=\"/do/pause\"");

        console.post("/do/pause", "kind", "route", "name", "orders", "reason", "cleaning");
        assertThat(console.get("/routes").body()).contains("action=\"/do/resume\"");
    }

    @Test
    void showsAPausedDestinationBeforeTheNodeKnows() {
        console.orders()
                .destinations
                .add(new DestinationView("lake", "file", "up", false, 0, null, null, null, List.of()));
        assertThat(console.get("/destinations").body()).contains("#done").doesNotContain("#paused");

        console.post("/do/pause", "kind", "destination", "name", "lake", "reason", "cleaning");
        assertThat(console.get("/destinations").body()).contains("#paused").contains("action=\"/do/resume\"");
    }

    @Test
    void leavesHeadersAsTheyAreThatWereNotChanged() {
        TestSource orders = console.orders();
        orders.node("node-1", 0, 1, 2, 3);
        Map<String, String> odd = Map.of("a=b", " c ", "d", "two\nlines");
        String dead = orders.publish("order-1", builder -> builder.headers(odd));
        orders.die(dead, "refused");
        String before = orders.event(dead).headersJson();
        String form = console.post("/reveal", "id", dead, "then", "edit").body();
        assertThat(form).contains("name=\"shown\"", "An empty payload leaves it unchanged.");

        String shown = new ConsoleText(InstantSource.system()).lines(odd);
        String sent = shown.replace("\n", "\r\n");
        console.post(
                "/do/edit",
                "id",
                dead,
                "payload",
                "{\"n\":2}",
                "headers",
                sent,
                "shown",
                shown,
                "reason",
                "r",
                "confirm",
                "true");

        assertThat(orders.event(dead).payloadJson()).isEqualTo("{\"n\":2}");
        assertThat(orders.event(dead).headersJson()).isEqualTo(before);
    }

    @Test
    void saysThatNoNodeDeliversWhatIsPending() {
        assertThat(console.get("/").body()).contains("No problems found").doesNotContain("No relay is alive");
        console.orders().publish("order-1");
        assertThat(console.get("/").body()).contains("No relay is alive", "1 pending");
    }

    @Test
    void countsNoMoreStuckKeysThanItHasSeen() {
        TestSource orders = console.orders();
        orders.node("node-1", 0, 1, 2, 3, 4, 5);
        for (int i = 0; i < 8; i++) {
            orders.fail(orders.publish("few-" + i), "refused");
        }
        assertThat(console.get("/").body()).contains(">3 more<");
        for (int i = 0; i < 50; i++) {
            orders.fail(orders.publish("many-" + i), "refused");
        }
        assertThat(console.get("/").body()).contains(">and more<");
    }

    @Test
    void staysWithTheSourceWhenSomethingGoesWrong() {
        console.source("payments");

        String page = console.post("/do/resume", "source", "payments", "kind", "shelf", "name", "a")
                .body();
        assertThat(page).contains("href=\"/?source=payments\" data-operation=\"overview\"");
        assertThat(console.get("/event?source=payments&id=none").body()).contains(">There is no event none");
    }

    @Test
    void writesRatesAndTimesInOneWay() {
        ConsoleText format = new ConsoleText(InstantSource.system());

        assertThat(List.of(format.rate(0.4), format.rate(0.96), format.rate(1), format.rate(1234.6)))
                .containsExactly("0.4", "1.0", "1", "1,235");
        assertThat(format.rough(Duration.ZERO)).isEqualTo("0 s");
    }

    @Test
    void goesToAnotherSourceOrOutWhenOneIsNotConnected() {
        console.source("payments");
        console.states.put("orders", new Sources.State("orders", "connecting", "the database refuses"));

        assertThat(console.get("/").statusCode()).isEqualTo(200);
        assertThat(console.get("/events?source=orders").body())
                .contains("the database refuses", "action=\"/logout\"", "/events?source=orders", "/?source=payments");
    }

    @Test
    void leadsFromAFindingToThePageAboutIt() {
        console.orders().findings.add(new Finding("no-route", Finding.Severity.WARNING, "t", "e", "a"));
        console.orders().findings.add(new Finding("destination-down", Finding.Severity.ERROR, "t", "e", "a"));

        assertThat(console.get("/doctor").body())
                .contains("<dt>See</dt>", "<a href=\"/routes\">Routes", "<a href=\"/destinations\">Destinations");
    }

    @Test
    void keepsWhatWasAskedForInTheGeneralForm() {
        assertThat(console.get("/operation/events?state=dead&type=OrderPlaced&limit=7")
                        .body())
                .contains("selected=\"selected\">dead<", "value=\"OrderPlaced\"", "value=\"7\"");
    }

    @Test
    void pausesTheWholeSourceFromTheGeneralForm() {
        assertThat(console.get("/operation/pause").body())
                .containsPattern("name=\"kind\"[^>]* required")
                .doesNotContainPattern("name=\"name\"[^>]* required");

        console.post("/do/pause", "kind", "source", "name", "", "reason", "upgrade");

        assertThat(console.get("/pauses").body()).contains("upgrade");
    }

    @Test
    void warnsWhenSomethingEndedEarly() {
        TestSource orders = console.orders();
        orders.node("node-1", 0);
        orders.done(orders.publish("order-1"));
        orders.resendFailure = "the broker refuses";

        console.post("/do/resend", "from", "2020-01-01T00:00", "before", "2040-01-01T00:00", "destination", "kafka");

        assertThat(console.get("/").body()).containsPattern("banner is-bad[^$]*the broker refuses");
    }

    @Test
    void keepsTheSourceThatWasChosen() {
        console.source("payments");

        assertThat(console.get("/?source=payments").body()).contains("/events?source=payments", "/?source=orders");
    }
}
