package catbox.verification.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.LocatorOptions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import outbox.model.EventStatus;

/** What each role sees, and what the server says to one who tries more. */
@ExtendWith(Stage.Given.class)
class RolesIT {

    private static final Pattern OPERATION = Pattern.compile("data-operation=\"([a-z]+)\"");
    private static final List<String> OPERATORS = List.of("pause", "replay", "resend");
    private static final List<String> ADMINS =
            List.of("discard", "drain", "edit", "pause", "purge", "rebalance", "replay", "resend");

    @Test
    void aStrangerGetsTheLoginPageAndOneWithAWrongPasswordNoFurther(Stage stage) {
        try (Person stranger = stage.stranger()) {
            stranger.open("/events");
            assertThat(stranger.page().url()).endsWith("/login");
            stranger.fill("Name", "viewer").fill("Password", "wrong").submit("Log in");
            stranger.sees("Incorrect name or password.");
        }
    }

    @Test
    void aViewerHasNoButtonThatDoesSomethingAndIsRefusedWhenHeForgesOne(Stage stage) {
        String dead = stage.server().source("stock").publishDead("roles-1", "no shelf for a viewer");
        try (Person viewer = stage.person("viewer")) {
            assertThat(operations(viewer, dead))
                    .doesNotContainAnyElementsOf(ADMINS)
                    .doesNotContain("reveal", "resume");
            for (String operation : ADMINS) {
                assertRefused(viewer, operation, dead);
            }
            assertRefused(viewer, "resume", dead);
            assertThat(viewer.forge("/reveal", "id", dead).status()).isEqualTo(403);
        }
        assertThat(stage.server().source("stock").status(dead)).isEqualTo(EventStatus.DEAD.code());
    }

    @Test
    void anOperatorReplaysButNeitherEditsNorDiscardsNorPurges(Stage stage) {
        String dead = stage.server().source("stock").publishDead("roles-2", "no shelf for an operator");
        try (Person operator = stage.person("operator")) {
            assertThat(operations(operator, dead))
                    .containsAll(OPERATORS)
                    .doesNotContain("edit", "discard", "purge", "drain", "rebalance", "reveal");
            for (String operation : List.of("edit", "discard", "purge", "drain", "rebalance")) {
                assertRefused(operator, operation, dead);
            }
        }
        assertThat(stage.server().source("stock").status(dead)).isEqualTo(EventStatus.DEAD.code());
    }

    @Test
    void anAdminDoesEverythingButReadPayloads(Stage stage) {
        String dead = stage.server().source("stock").publishDead("roles-3", "no shelf for an admin");
        try (Person admin = stage.person("admin")) {
            assertThat(operations(admin, dead)).containsAll(ADMINS).doesNotContain("reveal");
            assertThat(admin.forge("/reveal", "id", dead).status()).isEqualTo(403);

            admin.open("/event?source=stock&id=" + dead)
                    .click("Edit and replay…")
                    .sees("An empty field leaves its value");
            assertThat(admin.page().getByLabel("Payload").inputValue()).isEmpty();
        }
    }

    @Test
    void aPayloadIsMaskedUntilItIsRevealedAndThatIsAudited(Stage stage) {
        String dead = stage.server().source("stock").publishDead("roles-4", "no shelf for a reader");
        try (Person reader = stage.person("reader")) {
            reader.open("/event?source=stock&id=" + dead);
            assertThat(reader.page().content()).doesNotContain(Outbox.SECRET);

            reader.submit("Reveal").sees(Outbox.SECRET);
            assertThat(reader.page().url()).endsWith("/event?source=stock&id=" + dead);
            reader.open("/audit?source=stock");
            Locator entry = reader.page().locator("tbody tr", new LocatorOptions().setHasText(dead));
            assertThat(entry.first().innerText()).contains("reader", "reveal");
        }
    }

    /** The operations that have a button or a link for this user, on all pages. */
    private static Set<String> operations(Person person, String event) {
        Set<String> found = new TreeSet<>();
        person.open("/pauses?source=stock");
        for (String path : Pages.of("stock", event, "roles-1").values()) {
            OPERATION.matcher(person.read(path)).results().forEach(match -> found.add(match.group(1)));
        }
        return found;
    }

    private static void assertRefused(Person person, String operation, String event) {
        String[] everything = {
            "id",
            event,
            "reason",
            "a try",
            "confirm",
            "true",
            "kind",
            "key",
            "name",
            "k",
            "node",
            "node-1",
            "days",
            "0",
            "payload",
            "{}",
            "from",
            "2026-01-01T00:00",
            "before",
            "2027-01-01T00:00",
            "destination",
            "archive"
        };
        assertThat(person.forge("/do/" + operation, everything).status())
                .describedAs(operation)
                .isEqualTo(403);
    }
}
