package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectionNamesTest {

    @Test
    void followFromTheNameOfTheEvents() {
        assertThat(CollectionNames.DEFAULT.meta()).isEqualTo("outbox_meta");
        assertThat(new CollectionNames("outbox_events").slot()).isEqualTo("outbox_slot");
        assertThat(new CollectionNames("billing").node()).isEqualTo("billing_node");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1st", "a$b", "system.events", "two words"})
    void refuseWhatIsNoName(String name) {
        assertThatThrownBy(() -> new CollectionNames(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + name + "\"");
    }
}
