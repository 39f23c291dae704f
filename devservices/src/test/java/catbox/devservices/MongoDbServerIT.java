package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The store's tests check what clients see of it, because they have a client. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class MongoDbServerIT {

    private MongoDb server;

    @BeforeAll
    void start() {
        Optional<String> reason = MongoDbServer.unavailableReason();
        reason.ifPresent(sentence -> System.err.println("!!! SKIPPED: all tests with MongoDB. " + sentence));
        Assumptions.assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
        server = MongoDbServer.start();
    }

    @AfterAll
    void close() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void isPrimaryAgainAfterKillAndAfterStop() {
        int port = server.port();
        assertThat(server.uri()).contains("127.0.0.1:" + port).contains("replicaSet=");
        assertThat(MongoDbGreeting.isPrimary(port)).isTrue();

        server.kill();
        assertThat(MongoDbGreeting.answers(port)).isFalse();
        server.start();
        assertThat(MongoDbGreeting.isPrimary(port)).isTrue();
        server.stop();
        server.start();

        assertThat(MongoDbGreeting.isPrimary(port)).isTrue();
        assertThat(server.port()).isEqualTo(port);
    }

    @Test
    void answersNoRequestWhilePaused() {
        server.pause();
        assertThat(MongoDbGreeting.answers(server.port())).isFalse();

        server.resume();

        assertThat(MongoDbGreeting.answers(server.port())).isTrue();
    }

    @Test
    void doesNotRunAsRoot() throws IOException {
        Assumptions.assumeTrue(Platform.isRoot(), "this is not root, so the server is not either");
        String port = String.valueOf(server.port());
        try (Stream<ProcessHandle> children = ProcessHandle.current().children()) {
            ProcessHandle child = children.filter(
                            process -> Stream.of(process.info().arguments().orElse(new String[0]))
                                    .anyMatch(port::equals))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.getAttribute(Path.of("/proc", String.valueOf(child.pid())), "unix:uid"))
                    .isNotEqualTo(0);
        }
    }

    @Test
    void aServerWithoutASetIsNoPrimary() {
        try (MongoDb alone = MongoDbServer.startStandalone()) {
            assertThat(MongoDbGreeting.answers(alone.port())).isTrue();
            assertThat(MongoDbGreeting.isReady(server.port())).isTrue();
            assertThat(alone.uri()).contains("directConnection");
        }
    }

    @Test
    void refusesAnUnknownParameter() {
        assertThatThrownBy(() -> MongoDbServer.start(Map.of("no such", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no such");
    }
}
