package outbox.mongodb.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventConditionsTest {

    @ParameterizedTest
    @CsvSource({
        "refused by *, refused by 10.0.0.1, true",
        "refused by *, was refused by 10.0.0.1, false",
        "*timeout, read timeout, true",
        "*timeout, read timeouts, false",
        "a*b*c, abbc, true",
        "a*b*c, a-c-b-c, true",
        "a*b*c, a-c-b, false",
        "*a*a, a, false",
        "*ab*ab*, abab, true",
        "*(x)?[y]*, the (x)?[y] of it, true",
        "'', '', true",
        "*, anything, true",
        "\\E*, \\E., true"
    })
    void aStarIsAnythingAndEverythingElseIsItself(String pattern, String text, boolean fits) {
        assertThat(Pattern.compile(EventConditions.regex(pattern), Pattern.DOTALL)
                        .matcher(text)
                        .matches())
                .isEqualTo(fits);
    }

    /** One place for each part is tried, and no other: trying them all would take longer than anybody lives. */
    @Test
    void aPatternOfManyStarsCostsNoMoreThanOneOfFew() {
        Pattern pattern = Pattern.compile(EventConditions.regex("*a".repeat(60) + "*b"), Pattern.DOTALL);

        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(pattern.matcher("a".repeat(4_000)).matches()).isFalse());
    }
}
