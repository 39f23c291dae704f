package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

/** Checks the table of statuses in docs/destinations.md, row by row. */
class StatusesTest {

    private static final Duration AFTER = Duration.ofSeconds(7);

    private final Statuses statuses = new Statuses(Set.of());

    @ParameterizedTest
    @CsvSource({
        "401, destination, event",
        "407, destination, event",
        "429, destination, address",
        "502, destination, address",
        "503, destination, address",
        "504, destination, address",
        "507, destination, address",
        "521, destination, address",
        "522, destination, address",
        "523, destination, address",
        "524, destination, address",
        "525, destination, address",
        "526, destination, address",
        "300, address, event",
        "301, address, event",
        "302, address, event",
        "304, address, event",
        "307, address, event",
        "308, address, event",
        "403, address, event",
        "404, address, event",
        "405, address, event",
        "410, address, event",
        "408, unanswered, event",
        "400, event, event",
        "409, event, event",
        "413, event, event",
        "415, event, event",
        "422, event, event",
        "425, event, event",
        "500, event, event",
        "501, event, event",
        "505, event, event",
        "520, event, event",
        "599, event, event"
    })
    void blamesWhatTheStatusIsAbout(int status, String ofRequest, String ofItem) {
        assertThat(statuses.ofRequest(status, "words", AFTER, Scope.DESTINATION))
                .isEqualTo(outcome(ofRequest));
        assertThat(statuses.ofRequest(status, "words", AFTER, Scope.ADDRESS))
                .isEqualTo(outcome(ofRequest.replace("destination", "address")));
        assertThat(statuses.ofItem(status, "words", AFTER)).isEqualTo(outcome(ofItem));
    }

    private static Outcome outcome(String blamed) {
        return switch (blamed) {
            case "destination" -> new Outcome.Unavailable("words", Scope.DESTINATION, AFTER);
            case "address" -> new Outcome.Unavailable("words", Scope.ADDRESS, AFTER);
            case "unanswered" -> new Outcome.Retryable("words", AFTER, true);
            default -> new Outcome.Retryable("words", AFTER);
        };
    }

    @Test
    void aFinalStatusIsFinalForRequestsAndItems() {
        Statuses finals = new Statuses(Set.of(302, 404, 422, 503));

        for (int status : new int[] {302, 404, 422, 503}) {
            assertThat(finals.ofRequest(status, "words", AFTER, Scope.DESTINATION))
                    .isEqualTo(new Outcome.Rejected("words"));
            assertThat(finals.ofItem(status, "words", AFTER)).isEqualTo(new Outcome.Rejected("words"));
        }
    }
}
