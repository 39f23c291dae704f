package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.testkit.Await;

/** The same application, delivering by a relay in order per key. */
@SpringBootTest(
        classes = JdbcFlowIT.Application.class,
        properties = {
            "outbox.delivery=relay",
            "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                    + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration"
        })
class RelayToListenersIT extends FlowContract {

    @TempDir
    private Path folder;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        use(registry, TestDatabases.postgres());
    }

    /** Fails the first time, so that an event that overtakes it is seen. */
    static class Stumbling {

        private final Received received = new Received();
        private boolean failed;

        @OutboxListener("Counted")
        synchronized void on(EventEnvelope event) {
            if (!failed) {
                failed = true;
                throw new IllegalStateException("not yet");
            }
            received.add(event.payloadJson());
        }
    }

    private ApplicationContextRunner application() {
        return Applications.plain()
                .withPropertyValues(TestDatabases.postgres())
                .withPropertyValues("outbox.delivery=relay", "outbox.relay.retry-base-delay=50ms")
                .withBean(Stumbling.class);
    }

    @Test
    void keepsTheOrderOfAKeyWhenAListenerFails() {
        application().run(context -> {
            publish(context, "1");
            publish(context, "2");
            publish(context, "3");

            Received received = context.getBean(Stumbling.class).received;
            assertThat(received.next()).isEqualTo("1");
            assertThat(received.next()).isEqualTo("2");
            assertThat(received.next()).isEqualTo("3");
        });
    }

    @Test
    void anEventGoesToItsListenersAndAlongItsRoute() {
        Path log = folder.resolve("log.txt");
        application()
                .withPropertyValues("outbox.destinations.log.kind=file", "outbox.destinations.log.path=" + log)
                .run(context -> {
                    publish(context, "1");

                    assertThat(context.getBean(Stumbling.class).received.next()).isEqualTo("1");
                    Await.until("the file has it", () -> {
                        try {
                            return Files.readAllLines(log).size() == 1;
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    });
                });
    }

    private static void publish(ApplicationContext context, String payload) {
        EventEnvelope event = EventEnvelope.builder("Counted")
                .orderingKey("one")
                .payloadJson(payload)
                .build();
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(
                        status -> context.getBean(OutboxClient.class).publish(event));
    }
}
