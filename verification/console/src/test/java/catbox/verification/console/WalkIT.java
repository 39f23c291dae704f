package catbox.verification.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import outbox.model.EventStatus;

/** The ways that people go when something is stuck. */
@ExtendWith(Stage.Given.class)
class WalkIT {

    @Test
    void whyAnOrderIsStuckIsFoundAndMendedInThreeClicks(Stage stage) {
        Outbox shop = stage.server().source("shop");
        String id = shop.publishDead("order-17", "country Utopia is unknown");

        try (Person chief = stage.person("chief")) {
            chief.open("/?source=shop").click("country Utopia is unknown").seesState("dead");
            assertThat(chief.text()).contains("It was given up", "answered 422: country Utopia is unknown");

            chief.click("Edit and replay…").sees("Why it died");
            assertThat(chief.page().getByLabel("Payload").inputValue()).contains("country Utopia", Outbox.SECRET);
            chief.fill("Payload", "{\"country\":\"NO\"}").fill("Reason", "a typing error of the customer");
            chief.submit("Save and replay").seesState("done");

            assertThat(chief.clicks()).isLessThanOrEqualTo(3);
            assertThat(shop.status(id)).isEqualTo(EventStatus.DONE.code());
            assertThat(stage.receivers().arrived()).contains("{\"country\":\"NO\"}");
            assertThat(chief.text()).contains("edited", "edit by chief", "a typing error of the customer");
        }
    }

    @Test
    void onceTheCauseIsRepairedItTakesTwoClicks(Stage stage) {
        stage.server().source("shop").publishDead("order-18", "the tax office is closed");
        stage.receivers().forgive("the tax office is closed");

        try (Person operator = stage.person("operator")) {
            operator.open("/?source=shop").click("the tax office is closed").seesState("dead");
            operator.submit("Replay").seesState("done");
            assertThat(operator.clicks()).isEqualTo(2);
        }
    }

    @Test
    void aStuckKeySaysWhyAndGoesOnByItself(Stage stage) {
        Outbox shop = stage.server().source("shop");
        String first = shop.publish("ParcelPacked", "parcel-7", "{\"closed\":\"the warehouse is flooded\"}");
        shop.publish("ParcelSent", "parcel-7", "{}");
        shop.await(first, EventStatus.RETRY);

        try (Person viewer = stage.person("viewer")) {
            viewer.open("/?source=shop").click("parcel-7").sees("Why it does not move");
            assertThat(viewer.text())
                    .contains("everything behind it waits", "answered 500: the warehouse is flooded", "ParcelSent");

            viewer.click("ParcelSent")
                    .seesState("new")
                    .click("Why does its key wait?")
                    .sees("Pending, in order");

            stage.receivers().forgive("the warehouse is flooded");
            viewer.sees("No event of this key is pending.");
        }
    }

    @Test
    void replaysAndResumesAKeyThatADeadEventHasPaused(Stage stage) {
        Outbox payments = stage.server().source("payments");
        String dead = payments.publishDead("card-3", "the bank is closed");
        String behind = payments.publish("OrderPaid", "card-3", "{}");
        stage.receivers().forgive("the bank is closed");

        try (Person operator = stage.person("operator")) {
            operator.open("/key?source=payments&key=card-3").sees("Why it does not move");
            operator.submit("Replay the dead event").seesResult("is still on hold because of it");
            operator.submit("Resume").sees("No event of this key is pending.");
        }
        payments.await(dead, EventStatus.DONE);
        payments.await(behind, EventStatus.DONE);
    }

    @Test
    void theButtonsOfAKeyFollowWhatItsPageShowsButNotWhileAFormIsOpen(Stage stage) {
        Outbox shop = stage.server().source("shop");
        String first = shop.publish("ParcelPacked", "parcel-8", "{\"closed\":\"the warehouse is on fire\"}");
        shop.await(first, EventStatus.RETRY);
        String path = "/key?source=shop&key=parcel-8";

        try (Person one = stage.person("operator");
                Person other = stage.person("operator")) {
            one.open(path).click("Pause…").fill("Reason", "half a reas");
            other.open(path).click("Pause…").fill("Reason", "the fire").submit("Pause");

            one.sees("the fire");
            assertThat(one.page().getByLabel("Reason").inputValue()).isEqualTo("half a reas");
            one.page().keyboard().press("Escape");
            one.page().locator("h1").click();
            one.submit("Resume").seesResult("key parcel-8 goes on");
        }
        stage.receivers().forgive("the warehouse is on fire");
    }

    @Test
    void theFirstPageMovesByItself(Stage stage) {
        Outbox payments = stage.server().source("payments");
        try (Person viewer = stage.person("viewer")) {
            viewer.open("/?source=payments");
            String before = viewer.page().locator("[data-live=dead]").innerText();
            payments.publishDead("card-4", "this card is expired");

            viewer.page()
                    .waitForFunction(
                            "before => document.querySelector('[data-live=dead]').textContent !== before", before);
            assertThat(viewer.page()
                            .locator("[data-chart=throughput] path.line-1")
                            .getAttribute("d"))
                    .startsWith("M");
        }
    }

    @Test
    void showsThatTheStreamEndedOnlyAfterASilence(Stage stage) {
        try (Person viewer = stage.person("viewer")) {
            viewer.page()
                    .route(
                            "**/api/stream",
                            route -> route.fulfill(new Route.FulfillOptions().setContentType("text/event-stream")));
            viewer.page().clock().install();
            viewer.open("/?source=shop");
            viewer.page().clock().runFor(5_000);
            assertThat(viewer.page().locator("#lost").isVisible()).isFalse();

            viewer.page().clock().runFor(10_000);
            viewer.page().locator("#lost").waitFor();
        }
    }
}
