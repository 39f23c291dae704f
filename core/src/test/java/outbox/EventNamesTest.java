package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class EventNamesTest {

    private enum UserEvents implements EventType {
        USER_CREATED
    }

    private enum Aggregates implements AggregateType {
        ORDER
    }

    @Test
    void areThoseOfEnumConstants() {
        EventType type = UserEvents.USER_CREATED;
        AggregateType aggregate = Aggregates.ORDER;

        assertThat(type.name()).isEqualTo("USER_CREATED");
        assertThat(aggregate.name()).isEqualTo("ORDER");
    }

    @Test
    void areThoseGivenAtRunTime() {
        assertThat(StringEventType.of("user.created/v2").name()).isEqualTo("user.created/v2");
        assertThat(StringAggregateType.of("Bestellung Größe L").name()).isEqualTo("Bestellung Größe L");
    }

    @Test
    void makeTypesEqual() {
        assertThat(StringEventType.of("A"))
                .isEqualTo(StringEventType.of("A"))
                .isNotEqualTo(StringEventType.of("a"))
                .hasSameHashCodeAs(new StringEventType("A"));
        assertThat(StringAggregateType.of("A"))
                .isEqualTo(new StringAggregateType("A"))
                .isNotEqualTo(StringAggregateType.of("B"));
    }
}
