package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.util.JsonCodec;

final class AttributesTest {

    @Test
    void giveEachHeaderAnAttributeWhileTheyFit() {
        Map<String, String> attributes = Attributes.of(headers("form", 7), headers("own", 3));

        assertThat(attributes).hasSize(10).containsKeys("form-6", "own-2").doesNotContainKey(Attributes.HEADERS);
    }

    @Test
    void packAllOwnHeadersTogetherWhenOneDoesNotFit() {
        Map<String, String> attributes = Attributes.of(headers("form", 7), headers("own", 4));

        assertThat(attributes).hasSize(8).containsKey("form-6").doesNotContainKey("own-0");
        assertThat(packed(attributes)).isEqualTo(headers("own", 4));
    }

    @Test
    void packTheLastHeadersOfTheFormIfTheyDoNotFit() {
        Map<String, String> attributes = Attributes.of(headers("form", 12), headers("own", 1));

        assertThat(attributes).hasSize(10).containsKey("form-8").doesNotContainKey("form-9");
        assertThat(packed(attributes)).containsOnlyKeys("form-9", "form-10", "form-11", "own-0");
    }

    @Test
    void packHeadersThatSqsWouldRefuse() {
        Map<String, String> own = Map.of("", "1", "a b", "2", "aws.trace", "3", "empty", "", "control", "\u0001\uFFFF");

        Map<String, String> attributes = Attributes.of(headers("form", 1), own);

        assertThat(attributes).containsOnlyKeys("form-0", Attributes.HEADERS);
        assertThat(SqsText.firstRefused(attributes.get(Attributes.HEADERS))).isNegative();
        assertThat(packed(attributes)).isEqualTo(own);
    }

    @Test
    void packAHeaderThatHasTheNameOfThePack() {
        Map<String, String> own = Map.of(Attributes.HEADERS, "mine");

        assertThat(packed(Attributes.of(headers("form", 1), own))).isEqualTo(own);
    }

    @Test
    void packAHeaderOfTheFormWhoseValueSqsWouldRefuse() {
        Map<String, String> form = Map.of("outbox-aggregate-id", "\u0002", "outbox-event-type", "OrderPlaced");

        Map<String, String> attributes = Attributes.of(form, Map.of());

        assertThat(attributes).containsOnlyKeys("outbox-event-type", Attributes.HEADERS);
        assertThat(packed(attributes)).containsExactly(Map.entry("outbox-aggregate-id", "\u0002"));
    }

    private static Map<String, String> packed(Map<String, String> attributes) {
        return JsonCodec.decode(attributes.get(Attributes.HEADERS));
    }

    private static Map<String, String> headers(String name, int count) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (int n = 0; n < count; n++) {
            headers.put(name + "-" + n, "value " + n);
        }
        return headers;
    }
}
