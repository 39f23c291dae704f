package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SecretTest {

    /** What a config record looks like. */
    private record Config(String user, Secret password) {}

    @Test
    void showsItselfToWhoeverAsks() {
        assertThat(new Secret("s3cret").reveal()).isEqualTo("s3cret");
    }

    @Test
    void neverShowsItselfByAccident() {
        Secret secret = new Secret("s3cret");

        assertThat(secret + " " + List.of(secret) + Map.of("a", secret) + new Config("me", secret))
                .doesNotContain("s3cret")
                .contains("(secret)");
    }

    @Test
    void isEqualToTheSameSecret() {
        assertThat(new Secret("a"))
                .isEqualTo(new Secret("a"))
                .isNotEqualTo(new Secret("b"))
                .isNotEqualTo("a")
                .hasSameHashCodeAs(new Secret("b")); // The hash says nothing.
    }

    @Test
    void isNotEmpty() {
        assertThatThrownBy(() -> new Secret("")).isInstanceOf(IllegalArgumentException.class);
    }
}
