package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class KafkaServerIT {

    private KafkaBroker server;

    @BeforeAll
    void startOwnServer() {
        server = KafkaServer.start(Map.of("message.max.bytes", "1000"));
    }

    @AfterAll
    void closeOwnServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void keepsMessagesAndItsPortThroughKillAndRestart() throws Exception {
        KafkaTopic topic = KafkaTopic.create(server.clientProperties(), "killed");
        int port = server.port();
        topic.send("before");

        server.kill();
        server.start();
        topic.send("after");

        assertThat(server.port()).isEqualTo(port);
        assertThat(topic.values(2)).containsExactly("before", "after");
    }

    @Test
    void keepsMessagesThroughStopAndStart() throws Exception {
        KafkaTopic topic = KafkaTopic.create(server.clientProperties(), "stopped");
        topic.send("before");

        server.stop();
        server.start();

        assertThat(topic.values(1)).containsExactly("before");
    }

    @Test
    void answersNoRequestWhilePausedAndContinuesWhenResumed() throws Exception {
        KafkaTopic topic = KafkaTopic.create(server.clientProperties(), "paused");
        server.pause();
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(topic), Thread::startVirtualThread);

        assertThatThrownBy(() -> sent.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        server.resume();
        sent.get(30, TimeUnit.SECONDS);

        assertThat(topic.values(1)).containsExactly("value");
    }

    @Test
    void takesFurtherSettings() throws Exception {
        KafkaTopic topic = KafkaTopic.create(server.clientProperties(), "limited");

        assertThatThrownBy(() -> topic.send("x".repeat(2_000))).hasMessageContaining("RecordTooLargeException");
    }

    @Test
    void showsTheServersLogWhenItDoesNotStart() {
        assertThatThrownBy(() -> KafkaServer.start(Map.of("num.partitions", "none")))
                .isInstanceOf(DevServerException.class)
                .hasMessageContaining("num.partitions");
    }

    @Test
    void measuredServersHaveAHeapOfFixedSize() throws Exception {
        try (KafkaBroker lasting = KafkaServer.startLasting()) {
            KafkaTopic topic = KafkaTopic.create(lasting.clientProperties(), "measured");
            topic.send("value");

            assertThat(topic.values(1)).containsExactly("value");
            assertThat(ProcessHandle.current().descendants().flatMap(child -> child.info().commandLine().stream()))
                    .anyMatch(command -> command.contains("kafka.Kafka")
                            && command.contains("-Xms1g")
                            && command.contains("-Xmx1g"));
        }
    }

    @Test
    void runsNextToASecuredServer() throws Exception {
        try (KafkaBroker secured = KafkaServer.startSecured()) {
            KafkaTopic.create(secured.clientProperties(), "topic").send("as admin");
            KafkaTopic here = KafkaTopic.create(server.clientProperties(), "topic");
            here.send("on the other");
            new KafkaTopic(secured.clientProperties(KafkaServer.SCRAM_USER), "topic").send("by SCRAM");
            KafkaTopic plain = new KafkaTopic(secured.clientProperties(KafkaServer.PLAIN_USER), "topic");
            plain.send("by PLAIN");
            KafkaLogin wrong = new KafkaLogin("PLAIN", KafkaServer.PLAIN_USER.user(), "wrong");

            assertThat(plain.values(3)).containsExactly("as admin", "by SCRAM", "by PLAIN");
            assertThat(here.values(1)).containsExactly("on the other");
            assertThatThrownBy(() -> new KafkaTopic(secured.clientProperties(wrong), "topic").send("refused"))
                    .hasRootCauseInstanceOf(SaslAuthenticationException.class);
            Map<String, String> withoutTls =
                    Map.of("bootstrap.servers", secured.bootstrapServers(), "max.block.ms", "1000");
            assertThatThrownBy(() -> new KafkaTopic(withoutTls, "topic").send("refused"))
                    .hasRootCauseInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
        }
    }

    private static void send(KafkaTopic topic) {
        try {
            topic.send("value");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
