package outbox.relay.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static outbox.relay.route.RouteTable.Target.to;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.message.Template;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

class RouteTableTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final RouteTable table = RouteTable.builder()
            .route("acme", Match.all().tenant("acme").eventType("Order*"), to("acme", "acme.{eventType}"))
            .route("orders", Match.all().aggregateType("Order"), 5, to("main", "orders"), to("audit"))
            .route("loud", Match.all().header("volume", "1?"), to("main"))
            .route("billing", Match.all().source("billing"), to("ledger"))
            .drop("noise", Match.all().eventType("Debug*"), "they are not read")
            .route("rest", Match.all().eventType("*d"), to("main"))
            .build();

    @Test
    void takesTheFirstRouteThatMatches() {
        Router router = table.router();

        assertThat(router.route(event("OrderPlaced", "Order", "acme", null)))
                .containsExactly(new Route("acme", "acme", 1, Template.parse("acme.{eventType}")));
        assertThat(router.route(event("OrderPlaced", "Order", "other", null)))
                .containsExactly(
                        new Route("orders", "main", 5, Template.parse("orders")), new Route("orders", "audit", 5));
        assertThat(router.route(event("Paid", null, null, null))).containsExactly(new Route("rest", "main", 1));
        assertThat(router.fansOut()).isTrue();
    }

    @Test
    void looksIntoHeadersOnlyWhereARouteAsksAndNeverFailsOnBrokenOnes() {
        Router router = table.router();

        assertThat(router.route(event("Played", null, null, "{\"volume\":\"11\"}")))
                .extracting(Route::name)
                .containsExactly("loud");
        assertThat(router.route(event("Played", null, null, "{\"volume\":\"2\"}")))
                .extracting(Route::name)
                .containsExactly("rest");
        assertThat(router.route(event("Played", null, null, "{broken")))
                .extracting(Route::name)
                .containsExactly("rest");
    }

    @Test
    void hasNoRouteForWhatNobodyWants() {
        assertThat(table.router().route(event("Sing", null, null, null))).isEmpty();
    }

    @Test
    void dropsWithAReason() {
        assertThat(table.router().route(event("DebugLine", null, null, null)))
                .containsExactly(Route.drop("noise", "they are not read"));
    }

    @Test
    void keepsTheRoutesOfSourcesApart() {
        OutboxEvent event = event("Sing", null, null, null);

        assertThat(table.forSource("billing").route(event))
                .extracting(Route::destination)
                .containsExactly("ledger");
        assertThat(table.forSource("shop").route(event)).isEmpty();
    }

    @Test
    void sendsEverythingElseTheDefaultWay() {
        Router router = RouteTable.builder()
                .route("orders", Match.all().eventType("Order*"), to("main"))
                .otherwise(to("other"))
                .build()
                .router();

        assertThat(router.route(event("Anything", null, null, null)))
                .extracting(Route::name, Route::destination)
                .containsExactly(tuple("default", "other"));
        assertThat(router.fansOut()).isFalse();
    }

    @Test
    void namesEveryRouteThatIsWrongAtOnce() {
        RouteTable.Builder wrong = RouteTable.builder()
                .route("a", Match.all().eventType("A"))
                .route("b", Match.all().eventType("B"), to("main", "{colour}"))
                .route("b", Match.all().eventType("C"), to("main"), to("main"))
                .route("d", Match.all().eventType("D"), 0, to("main"))
                .route("e", Match.all().eventType("E"), to("drop"))
                .drop("f", Match.all().eventType("F"), " ")
                .otherwise(to("main"))
                .route("late", Match.all().eventType("G"), to("main"))
                .route(" ", Match.all().source("x"), to("main"));

        assertThatThrownBy(wrong::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "route a leads nowhere",
                        "route b: template \"{colour}\" names {colour}; allowed are",
                        "two routes named b",
                        "route b leads to main twice",
                        "weight of route d must be from 1 to 1000, was 0",
                        "route e: drop is no destination",
                        "route f drops events and does not say why",
                        "route late is never taken: route default before it takes every event",
                        "route number 9 has no name");
    }

    @Test
    void refusesAnEmptyTableAndDestinationsThatThereAreNot() {
        assertThatThrownBy(() -> RouteTable.builder().build()).hasMessage("there are no routes");
        assertThatThrownBy(() -> table.requireDestinations(List.of("main", "acme")))
                .hasMessageContainingAll(
                        "route orders leads to destination audit, and the destinations are [main, acme]",
                        "route billing leads to destination ledger");
        assertThat(table.destinations()).containsExactly("acme", "main", "audit", "ledger");
        table.requireDestinations(table.destinations());
    }

    @Test
    void refusesATargetThatIsTooLongToBeRemembered() {
        assertThatThrownBy(() -> RouteTable.builder()
                        .route("long", Match.all(), to("main", "x".repeat(200)))
                        .build())
                .hasMessageContainingAll("route long", "199 characters");
    }

    @Test
    void showsItselfToPeople() {
        assertThat(table.toString())
                .contains(
                        "orders: {aggregate type=Order} → main/orders, audit\n",
                        "noise: {event type=Debug*} → dropped: they are not read\n");
    }

    @ParameterizedTest
    @CsvSource({
        "*, anything, true",
        "Order*, OrderPlaced, true",
        "Order*, Order, true",
        "Order*, order, false",
        "*Placed, OrderPlaced, true",
        "*Placed, OrderPlacedTwice, false",
        "O?der, Order, true",
        "O?der, Oder, false",
        "a.c, abc, false",
        "a.c, a.c, true",
        "(*), (x), true",
        "Order, Order, true",
        "Order, OrderPlaced, false"
    })
    void understandsStarsAndQuestionMarks(String pattern, String text, boolean matches) {
        assertThat(new Glob(pattern).matches(text)).isEqualTo(matches);
    }

    @Test
    void matchesWhatIsNotThereOnlyByAStarAlone() {
        assertThat(new Glob("*").matches(null)).isTrue();
        assertThat(new Glob("a*").matches(null)).isFalse();
        assertThat(new Glob("?*").matches(null)).isFalse();
        assertThatThrownBy(() -> new Glob("")).hasMessageContaining("must not be empty");
    }

    @Test
    void canBeReplacedWhileItIsUsedAndRemembersThatItFannedOut() {
        ReplaceableRouter live = new ReplaceableRouter(table.router());
        OutboxEvent event = event("Sing", null, null, null);
        assertThat(live.route(event)).isEmpty();

        live.replace(Router.everythingTo("new"));

        assertThat(live.route(event)).containsExactly(Route.to("new"));
        assertThat(live.routes()).containsExactly(Route.to("new"));
        assertThat(live.fansOut())
                .as("partly delivered events may still be there")
                .isTrue();
    }

    private static OutboxEvent event(String type, String aggregateType, String tenant, String headers) {
        EventState state = new EventState(EventStatus.NEW, 0, NOON, NOON, null, null, null);
        return new OutboxEvent("e", type, aggregateType, null, tenant, null, "{}", null, headers, NOON, null, state);
    }

    @Test
    void tellsItsRulesInTheirOrderForPeople() {
        ReplaceableRouter router = new ReplaceableRouter(Router.everythingTo("kafka"));
        assertThat(router.rules()).extracting(Router.Rule::match).containsExactly("every event");

        router.replace(RouteTable.builder()
                .route("orders", Match.all().eventType("Order*"), RouteTable.Target.to("kafka", "orders"))
                .route("other source", Match.all().source("billing"), RouteTable.Target.to("kafka"))
                .drop("rest", Match.all(), "not wanted")
                .build()
                .forSource("shop"));

        assertThat(router.rules()).extracting(Router.Rule::name).containsExactly("orders", "rest");
        assertThat(router.rules()).extracting(Router.Rule::match).containsExactly("{event type=Order*}", "every event");
        assertThat(router.rules().get(0).routes()).extracting(Route::target).containsExactly("kafka/orders");
        assertThat(router.rules().get(1).routes()).extracting(Route::dropReason).containsExactly("not wanted");
    }
}
