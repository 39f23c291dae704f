package outbox.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;

final class TemplateTest {

    private final EventEnvelope event = EventEnvelope.builder("OrderPlaced")
            .aggregateType("Order")
            .aggregateId("o-1")
            .tenantId("acme")
            .orderingKey("k-1")
            .header("region", "{north}")
            .header("empty", "")
            .payloadJson("{}")
            .build();

    @ParameterizedTest
    @CsvSource({
        "orders, orders",
        "{eventType}, OrderPlaced",
        "a.{aggregateType}.{aggregateId}.z, a.Order.o-1.z",
        "{tenantId}{key}, acmek-1",
        "x-{header:region}, x-{north}",
        "a}b, a}b"
    })
    void isFilledInByTheEvent(String text, String filled) {
        assertThat(Template.parse(text).fill(event)).isEqualTo(filled);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{header:missing}", "{header:empty}", "a{header:missing}b"})
    void saysWhatTheEventLacks(String text) {
        assertThatThrownBy(() -> Template.parse(text).fill(event))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the event has no header:")
                .hasMessageContaining(text);
    }

    @Test
    void namesEveryFieldThatIsMissing() {
        EventEnvelope bare = EventEnvelope.ofJson("T", "1");
        for (String name : new String[] {"aggregateType", "aggregateId", "tenantId", "key"}) {
            assertThatThrownBy(() -> Template.parse("{" + name + "}").fill(bare))
                    .hasMessageContaining("the event has no " + name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "{", "a{eventType", "{}", "{payload}", "{header:}", "{EventType}"})
    void refusesWhatIsNoTemplate(String text) {
        assertThatThrownBy(() -> Template.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aComplaintNamesWhatIsAllowed() {
        assertThatThrownBy(() -> Template.parse("a{nonsense}"))
                .hasMessageContaining("{nonsense}")
                .hasMessageContaining("eventType")
                .hasMessageContaining("header:NAME");
    }

    @Test
    void knowsWhetherEveryEventGivesTheSame() {
        assertThat(Template.parse("orders").isFixed()).isTrue();
        assertThat(Template.parse("orders{key}").isFixed()).isFalse();
    }

    @Test
    void isEqualToWhatReadsTheSame() {
        assertThat(Template.parse("a{key}")).isEqualTo(Template.parse("a{key}")).hasToString("a{key}");
        assertThat(Template.parse("a{key}"))
                .hasSameHashCodeAs(Template.parse("a{key}"))
                .isNotEqualTo(Template.parse("a"))
                .isNotEqualTo("a{key}");
    }
}
