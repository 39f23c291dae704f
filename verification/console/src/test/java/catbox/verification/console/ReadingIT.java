package catbox.verification.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import outbox.model.EventStatus;

/** Without scripts, and without a mouse. */
@ExtendWith(Stage.Given.class)
class ReadingIT {

    @Test
    void everythingCanBeReadAndDoneWithoutScripts(Stage stage) {
        Outbox shop = stage.server().source("shop");
        String id = shop.publishDead("order-30", "scripts are forbidden");
        stage.receivers().forgive("scripts are forbidden");

        try (Person operator = stage.person("operator", options -> options.setJavaScriptEnabled(false))) {
            operator.open("/?source=shop");
            assertThat(operator.text()).contains("Needs attention", "scripts are forbidden", "Throughput", "pending");
            operator.click("scripts are forbidden").seesState("dead");
            operator.submit("Replay").seesResult("1 event made new");
            shop.await(id, EventStatus.DONE);
            operator.open("/event?source=shop&id=" + id).seesState("done");
            for (String path : Pages.of("shop", id, "order-30").values()) {
                assertThat(operator.open(path).text()).describedAs(path).isNotBlank();
            }
        }
    }

    @Test
    void anEventIsFoundAndReplayedWithTheKeyboardAlone(Stage stage) {
        String id = stage.server().source("shop").publishDead("order-31", "mice are forbidden");
        stage.receivers().forgive("mice are forbidden");

        try (Person operator = stage.person("operator")) {
            operator.open("/events?source=shop&state=dead&error=*mice*");
            operator.page().keyboard().press("/");
            operator.page().keyboard().type(id);
            operator.page().keyboard().press("Enter");
            operator.seesState("dead");
            focus(operator, "main [data-operation=replay]");
            operator.page().keyboard().press("Enter");
            operator.seesState("done");
        }
    }

    @Test
    void aListIsWalkedWithJAndK(Stage stage) {
        Outbox shop = stage.server().source("shop");
        shop.publishDead("order-32", "walking is forbidden");
        String latest = shop.publishDead("order-33", "walking is forbidden");

        try (Person viewer = stage.person("viewer")) {
            viewer.open("/events?source=shop&state=dead&error=*walking*");
            viewer.page().keyboard().press("j");
            viewer.page().keyboard().press("j");
            viewer.page().keyboard().press("k");
            viewer.page().keyboard().press("Enter");
            viewer.page().waitForURL(url -> url.endsWith("/event?source=shop&id=" + latest));
            viewer.seesState("dead");
        }
    }

    @Test
    void idsAndKeysOfAnyFormAreReached(Stage stage) {
        Outbox shop = stage.server().source("shop");
        String id = "a/b%2F;c\\d, e&f=g?h#i";
        shop.publish(
                "CustomerMoved",
                event -> event.eventId(id).orderingKey(" a key, with blanks ").payloadJson("{}"));
        shop.await(id, EventStatus.DONE);

        try (Person operator = stage.person("operator")) {
            operator.open("/events?source=shop&state=done&type=CustomerMoved")
                    .click(id)
                    .seesState("done");
            operator.submit("Replay").seesResult("1 event made new").seesState("done");
            operator.click("Its key").sees("No event of this key is pending.");
            assertThat(operator.page().locator("h1 code").textContent()).isEqualTo(" a key, with blanks ");
        }
    }

    /** Goes on with the tabulator until it is there. */
    private static void focus(Person person, String selector) {
        for (int i = 0; i < 60; i++) {
            person.page().keyboard().press("Tab");
            if (Boolean.TRUE.equals(
                    person.page().evaluate("selector => document.activeElement.matches(selector)", selector))) {
                return;
            }
        }
        throw new AssertionError("the tabulator never got to " + selector);
    }
}
