package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/**
 * Prints the line of Spring Boot that these tests run on. They run once on each line, and neither run may be lost
 * unnoticed.
 */
class BootLineTest {

    @Test
    void runsOnTheVersionThatTheBuildChooses() {
        System.out.println("these tests run on Spring Boot " + SpringBootVersion.getVersion());
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.spring-boot.version"));
    }
}
