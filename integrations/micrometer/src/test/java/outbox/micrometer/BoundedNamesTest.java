package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedNamesTest {

    @Test
    void keepsTheFirstNamesAndGroupsTheOthers() {
        BoundedNames names = new BoundedNames(2);
        assertThat(names.of("a")).isEqualTo("a");
        assertThat(names.of("b")).isEqualTo("b");
        assertThat(names.of("c")).isEqualTo("other");
        assertThat(names.of("a")).isEqualTo("a");
    }
}
