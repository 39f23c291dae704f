package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.OperatorStore;
import outbox.testkit.Await;

class RoutedDispatcherTest {

    @TempDir
    private Path folder;

    private ApplicationContextRunner application() {
        return Applications.onH2()
                .withBean(Mailer.class)
                .withPropertyValues(
                        "outbox.destinations.log.kind=file",
                        "outbox.destinations.log.path=" + folder.resolve("log.txt"),
                        "outbox.destinations.audit.kind=file",
                        "outbox.destinations.audit.path=" + folder.resolve("audit.txt"),
                        "outbox.routes[0].name=orders",
                        "outbox.routes[0].match.event-type=OrderShipped",
                        "outbox.routes[0].to=log, audit",
                        "outbox.routes[1].name=noise",
                        "outbox.routes[1].match.event-type=Debug*",
                        "outbox.routes[1].drop=of no interest");
    }

    @Test
    void anEventTakesItsRouteToAllItsDestinations() {
        application().run(context -> {
            settled(context, publish(context, "OrderShipped"), EventStatus.DONE);

            assertThat(lines("log.txt")).singleElement().asString().contains("OrderShipped");
            assertThat(lines("audit.txt")).singleElement().asString().contains("OrderShipped");
        });
    }

    @Test
    void anEventThatIsDroppedIsDone() {
        application().run(context -> {
            settled(context, publish(context, "DebugTick"), EventStatus.DONE);

            assertThat(lines("log.txt")).isEmpty();
        });
    }

    @Test
    void anEventThatHasAListenerNeedsNoRoute() {
        application().run(context -> {
            context.getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> context.publishEvent(new OrderPaidEvent(1, 2)));

            String id = context.getBean(Mailer.class).ids().next().toString();
            settled(context, id, EventStatus.DONE);
            assertThat(lines("log.txt")).isEmpty();
        });
    }

    @Test
    void anEventWithNeitherListenerNorRouteHasFailed() {
        application().run(context -> {
            OutboxEvent event = settled(context, publish(context, "Unknown"), EventStatus.RETRY);

            assertThat(event.state().lastError()).contains("no listener is registered", "no route matches");
        });
    }

    private static OutboxEvent settled(ApplicationContext context, String id, EventStatus status) {
        OperatorStore operator = context.getBean(OperatorStore.class);
        Await.until("event is " + status, () -> operator.find(id).orElseThrow().status() == status);
        return operator.find(id).orElseThrow();
    }

    private static String publish(ApplicationContext context, String type) {
        return context.getBean(TransactionTemplate.class)
                .execute(status -> context.getBean(OutboxClient.class).publish(EventEnvelope.ofJson(type, "{}")));
    }

    private List<String> lines(String file) {
        try {
            Path path = folder.resolve(file);
            return Files.exists(path) ? Files.readAllLines(path) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
