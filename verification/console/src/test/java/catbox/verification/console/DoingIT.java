package catbox.verification.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page.LocatorOptions;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import outbox.model.EventStatus;

/** Every button that does something, pressed. */
@ExtendWith(Stage.Given.class)
class DoingIT {

    @Test
    void replaysTheEventsThatWereChosen(Stage stage) {
        Outbox stock = stage.server().source("stock");
        String left = stock.publishDead("choose-1", "the first shelf is full");
        String chosen = stock.publishDead("choose-2", "the first shelf is full");
        stage.receivers().forgive("the first shelf is full");

        try (Person operator = stage.person("operator")) {
            operator.open("/events?source=stock&state=dead&error=*first+shelf*");
            operator.page().getByLabel("Select " + chosen).check();
            operator.click("Replay…").sees("1 would match");
            operator.submit("Replay it").seesResult("1 event made pending");
        }
        stock.await(chosen, EventStatus.DONE);
        assertThat(stock.status(left)).isEqualTo(EventStatus.DEAD.code());
    }

    @Test
    void replaysAWholeGroupThatIsCountedFirst(Stage stage) {
        Outbox stock = stage.server().source("stock");
        String one = stock.publishDead("group-1", "the second shelf is full");
        String two = stock.publishDead("group-2", "the second shelf is full");
        stage.receivers().forgive("the second shelf is full");

        try (Person operator = stage.person("operator")) {
            operator.open("/dead?source=stock");
            operator.page()
                    .locator(".card", has("the second shelf is full"))
                    .getByText("Replay all…")
                    .click();
            operator.sees("2 would match")
                    .fill("Reason", "there is a new shelf")
                    .submit("Replay them");
            operator.seesResult("2 events made pending");
        }
        stock.await(one, EventStatus.DONE);
        stock.await(two, EventStatus.DONE);
    }

    @Test
    void discardsWithAReason(Stage stage) {
        Outbox stock = stage.server().source("stock");
        String id = stock.publishDead("discard-1", "nobody wants this");

        try (Person admin = stage.person("admin")) {
            admin.open("/event?source=stock&id=" + id).click("Discard…").sees("This cannot be undone.");
            admin.fill("Reason", "the customer is gone").submit("Discard it").seesState("done");
            assertThat(admin.text()).contains("discard by admin", "the customer is gone");
        }
    }

    @Test
    void savesAnEditWithoutReplayingItAndCanRemoveAllHeaders(Stage stage) {
        Outbox stock = stage.server().source("stock");
        String id = stock.publish(
                "OrderPlaced",
                event -> event.payloadJson("{\"refuse\":\"a header\"}").headers(Map.of("color", "red")));
        stock.await(id, EventStatus.DEAD);

        try (Person chief = stage.person("chief")) {
            chief.open("/event?source=stock&id=" + id).click("Edit and replay…");
            assertThat(chief.page().getByLabel("Headers").inputValue()).isEqualTo("color=red");
            chief.fill("Headers", "")
                    .fill("Reason", "it is blue")
                    .submit("Save only")
                    .seesResult("is changed");
            chief.click("Reveal").sees("As published");
            assertThat(chief.page().locator("#payload .facts").count()).isZero();
        }
        assertThat(stock.status(id)).isEqualTo(EventStatus.DEAD.code());
    }

    @Test
    void pausesAndResumesAKeyAndADestination(Stage stage) {
        try (Person operator = stage.person("operator")) {
            operator.open("/key?source=stock&key=paused-1").click("Pause…");
            operator.fill("Reason", "to inspect it").submit("Pause").seesResult("key paused-1 is paused");
            operator.open("/pauses?source=stock").sees("paused-1");
            assertThat(operator.text()).contains("to inspect it", "operator");
            operator.submit("Resume").seesResult("key paused-1 continues");

            operator.open("/destinations?source=stock");
            operator.page().locator(".card", has("archive")).getByText("Pause…").click();
            operator.fill("Reason", "it is cleaned").submit("Pause").seesResult("destination archive is paused");
            operator.page().locator(".card", has("archive")).getByText("Resume").click();
            operator.seesResult("destination archive continues");
        }
    }

    @Test
    void whatTheServersFilePausesCannotBeResumedHere(Stage stage) {
        try (Person operator = stage.person("operator")) {
            operator.open("/destinations?source=stock").sees("Paused for this node");
            assertThat(operator.page()
                            .locator(".card", has("lake"))
                            .getByText("Resume")
                            .count())
                    .isZero();
        }
    }

    @Test
    void drainsTheNodeAndResumesIt(Stage stage) {
        try (Person admin = stage.person("admin")) {
            admin.open("/cluster?source=stock").click("Drain…");
            admin.fill("Reason", "a new version")
                    .submit("Hand over its partitions")
                    .seesResult("hands its work over");
            admin.submit("Resume").seesResult("node-1 continues");
        }
    }

    @Test
    void rebalances(Stage stage) {
        try (Person admin = stage.person("admin")) {
            admin.open("/cluster?source=orders").click("Rebalance…").submit("Spread over the nodes");
            admin.seesResult("partition");
        }
    }

    @Test
    void purgesAfterCounting(Stage stage) {
        Outbox stock = stage.server().source("payments");
        String id = stock.publish("CustomerMoved", "purge-1", "{}");
        stock.await(id, EventStatus.DONE);

        try (Person admin = stage.person("admin")) {
            admin.open("/purge?source=payments")
                    .fill("Done longer ago than", "0")
                    .submit("Count them…");
            admin.sees("would be deleted").submit("Purge").seesResult("deleted");
        }
        assertThat(stock.status(id)).isEqualTo(-1);
    }

    @Test
    void sendsATimeAgain(Stage stage) {
        Outbox stock = stage.server().source("stock");
        String id = stock.publish("OrderMovedAgain", "again-1", "{\"again\":1}");
        stock.await(id, EventStatus.DONE);
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);

        try (Person operator = stage.person("operator")) {
            operator.open("/resend?source=stock&destination=invoicing");
            operator.fill("From", now.minusMinutes(5).toString())
                    .fill("Before", now.plusMinutes(5).toString());
            operator.fill("Type", "OrderMovedAgain").submit("Count them…").sees("would");
            operator.submit("Resend").seesResult("sent");
        }
        assertThat(stage.receivers().arrived())
                .filteredOn("{\"again\":1}"::equals)
                .hasSizeGreaterThanOrEqualTo(2);
    }

    private static LocatorOptions has(String text) {
        return new LocatorOptions().setHasText(text);
    }
}
