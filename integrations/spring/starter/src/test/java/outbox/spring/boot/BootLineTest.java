package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** These tests run twice, once on each line of Spring Boot; this one says on which, so that neither runs unnoticed. */
class BootLineTest {

    @Test
    void runsOnTheVersionThatTheBuildMeans() {
        System.out.println("these tests run on Spring Boot " + SpringBootVersion.getVersion());
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.spring-boot.version"));
    }
}
