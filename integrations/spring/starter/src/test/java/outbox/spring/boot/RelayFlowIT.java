package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.relay.DestinationStatus;
import outbox.testkit.Await;

class RelayFlowIT {

    private final String[] database = TestDatabases.postgres();

    @TempDir
    private Path folder;

    private ApplicationContextRunner application(String... properties) {
        return Applications.plain().withPropertyValues(database).withPropertyValues(properties);
    }

    /** An application whose relay polls the table once an hour unless it is woken. */
    private ApplicationContextRunner relaying() {
        return application(
                "outbox.delivery=relay",
                "outbox.node-id=shop-1",
                "outbox.relay.poll-interval-max=1h",
                "outbox.destinations.log.kind=file",
                "outbox.destinations.log.path=" + folder.resolve("log.txt"),
                "outbox.destinations.audit.kind=file",
                "outbox.destinations.audit.path=" + folder.resolve("audit.txt"),
                "outbox.routes[0].name=orders",
                "outbox.routes[0].match.aggregate-type=Order",
                "outbox.routes[0].to[0]=log",
                "outbox.routes[0].to[1]=audit");
    }

    @Test
    void deliversOwnEventsAlongTheRoutesRightAfterCommit() {
        relaying().run(context -> {
            pay(context, 1);
            pay(context, 2);

            awaitLines("log.txt", 2);
            awaitLines("audit.txt", 2);
            EventDelivery delivery = context.getBean(EventDelivery.class);
            assertThat(delivery.problem()).isNull();
            assertThat(delivery.details())
                    .containsEntry("node", "shop-1")
                    .containsEntry("members", 1)
                    .hasEntrySatisfying(
                            "destinations",
                            states -> assertThat(states)
                                    .asInstanceOf(InstanceOfAssertFactories.map(String.class, DestinationStatus.class))
                                    .containsOnlyKeys("log", "audit")
                                    .allSatisfy((name, status) ->
                                            assertThat(status.state()).as(name).isEqualTo(DestinationStatus.State.UP)));
        });
    }

    @Test
    void eventsOfAnotherApplicationWakeTheRelay() {
        relaying().run(relay -> {
            Await.until("the relay has its partitions", () -> partitions(relay) == 6);
            application("outbox.delivery=none").run(shop -> {
                assertThat(shop.getBean(EventDelivery.class).details()).isEqualTo(Map.of("wakesRelays", true));
                pay(shop, 7);

                awaitLines("log.txt", 1);
            });
        });
    }

    @Test
    void wakingCanBeSwitchedOff() {
        application("outbox.delivery=none", "outbox.wake-up=off")
                .run(shop -> assertThat(shop.getBean(EventDelivery.class).details())
                        .isEqualTo(Map.of("wakesRelays", false)));
    }

    @Test
    void aPausedDestinationReceivesNothingAndTheOthersDo() {
        relaying()
                .withPropertyValues(
                        "outbox.destinations.audit.paused=true",
                        "outbox.routes[0].to[0]=log",
                        "outbox.routes[1].name=rest",
                        "outbox.routes[1].to=audit")
                .run(context -> {
                    pay(context, 1);

                    awaitLines("log.txt", 1);
                    assertThat(lines("audit.txt")).isEmpty();
                });
    }

    private static int partitions(ApplicationContext context) {
        return context.getBean(EventDelivery.class).details().get("partitions") instanceof java.util.Set<?> partitions
                ? partitions.size()
                : 0;
    }

    private static void pay(ApplicationContext context, long orderId) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> context.publishEvent(new OrderPaidEvent(orderId, 100)));
    }

    private void awaitLines(String file, int count) {
        Await.until(file + " has " + count + " lines", () -> lines(file).size() >= count);
        assertThat(lines(file)).hasSize(count).allMatch(line -> line.contains("OrderPaid"));
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
