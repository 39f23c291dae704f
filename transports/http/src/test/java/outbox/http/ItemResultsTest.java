package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

class ItemResultsTest {

    private static final Outcome DELIVERED = new Outcome.Delivered("here", -1, -1);

    private final ItemResults results = new ItemResults(new Statuses(Set.of(422)));

    private Outcome one(String result) {
        return results.read("[" + result + "]", List.of("id-1"), "here").get(0);
    }

    @Test
    void readsWordsAndNumbers() {
        assertThat(one("{\"status\":\"delivered\"}")).isEqualTo(DELIVERED);
        assertThat(one("{\"status\":201,\"id\":\"id-1\"}")).isEqualTo(DELIVERED);
        assertThat(one("{\"status\":422,\"reason\":\"no \\u0041\\\"\\n\"}"))
                .isEqualTo(new Outcome.Rejected("here answered 422 for this event: no A\""));
        assertThat(one("{\"status\":\"rejected\"}"))
                .isEqualTo(new Outcome.Rejected("here answered rejected for this event"));
        assertThat(one("{\"status\":500}")).isInstanceOf(Outcome.Retryable.class);
        assertThat(one("{\"status\":302}")).isInstanceOf(Outcome.Retryable.class);
        assertThat(one("{\"status\":503}"))
                .isEqualTo(new Outcome.Unavailable("here answered 503 for this event", Scope.ADDRESS));
    }

    @Test
    void readsHowLongToWait() {
        assertThat(one("{\"status\":\"retry\",\"retryAfterSeconds\":1.5}"))
                .isEqualTo(new Outcome.Retryable("here answered retry for this event", Duration.ofMillis(1500)));
        assertThat(((Outcome.Retryable) one("{\"status\":\"retry\",\"retryAfterSeconds\":1e99}")).after())
                .isEqualTo(Duration.ofHours(1));
        for (String nothing : List.of("0", "-1", "\"5\"", "null", "[]")) {
            assertThat(((Outcome.Retryable) one("{\"status\":\"retry\",\"retryAfterSeconds\":" + nothing + "}"))
                            .after())
                    .isNull();
        }
    }

    @Test
    void ignoresUnknownMembers() {
        String document = " { \"ok\" : true , \"none\" : null, \"nested\":{\"a\":[1,-2.5e3,{}],\"b\":false},\n"
                + "\"results\" : [ {\"status\":\"delivered\",\"extra\":[[],{}]} , {\"status\":\"delivered\"} ] } ";

        assertThat(results.read(document, List.of("a", "b"), "here")).containsExactly(DELIVERED, DELIVERED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ok",
                "null",
                "\"delivered\"",
                "{}",
                "{\"results\":{}}",
                "[]",
                "[{\"status\":\"delivered\"},{\"status\":\"delivered\"}]",
                "[null]",
                "[[]]",
                "[{}]",
                "[{\"status\":null}]",
                "[{\"status\":\"DELIVERED\"}]",
                "[{\"status\":true}]",
                "[{\"status\":\"delivered\",\"id\":\"id-2\"}]",
                "[{\"status\":\"delivered\",\"id\":1}]",
                "[{\"status\":\"delivered\"}"
            })
    void refusesAnythingElse(String body) {
        assertThatThrownBy(() -> results.read(body, List.of("id-1"), "here"))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isNotBlank();
    }
}
