package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.OutboxClient;
import outbox.testkit.Await;
import outbox.testkit.EndedLoop;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ActuatorTest {

    private final ApplicationContextRunner application = Applications.onH2()
            .withBean(Mailer.class)
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=*", "management.endpoints.jmx.exposure.include=*");

    @Test
    void isUpWhileTheTablesExistAndDeliveryRuns() {
        application.run(context -> {
            Health health = context.getBean(OutboxHealthIndicator.class).health();

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsKeys("workers", "listeners");
        });
    }

    @Test
    void isDownWhenTheTablesAreGone() {
        application.run(context -> {
            new JdbcTemplate(context.getBean(DataSource.class)).execute("DROP TABLE outbox_event");

            Health health = context.getBean(OutboxHealthIndicator.class).health();

            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails())
                    .extractingByKey("error")
                    .asString()
                    .contains("table outbox_event cannot be reached");
        });
    }

    @Test
    void staysUpWhenANewerInstanceMigratesTheTables() {
        application.run(context -> {
            new JdbcTemplate(context.getBean(DataSource.class))
                    .execute("UPDATE outbox_meta SET schema_version = schema_version + 1");

            assertThat(context.getBean(OutboxHealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.UP);
        });
    }

    @Test
    void isDownWhenDeliveryDoesNotRun() {
        application.run(context -> {
            context.getBean(OutboxLifecycle.class).stop();

            Health health = context.getBean(OutboxHealthIndicator.class).health();

            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails()).containsEntry("error", "the dispatcher is not running");
        });
    }

    @Test
    void isDownWhenAThreadOfTheDispatcherHasEnded() {
        application.withPropertyValues("outbox.dispatcher.poller-interval=50ms").run(context -> {
            EventDelivery delivery = context.getBean(EventDelivery.class);
            EndedLoop.in(delivery, "running", "outbox", "dispatcher", "threads", "keeperLoop");
            EndedLoop.in(delivery, "running", "outbox", "dispatcher", "threads", "settlerLoop");
            EndedLoop.in(delivery, "running", "outbox", "poller", "loop");
            EndedLoop.in(delivery, "running", "purger", "loop");

            Await.until(
                    "all four are named",
                    () -> String.valueOf(delivery.problem())
                            .contains("outbox-settler, outbox-claim-keeper, outbox-poller, outbox-retention"));
            assertThat(context.getBean(OutboxHealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.DOWN);
        });
    }

    @Test
    void isDownWhenAThreadOfTheRelayHasEnded() {
        application
                .withPropertyValues(
                        "outbox.delivery=relay",
                        "outbox.destinations.log.kind=file",
                        "outbox.destinations.log.path=target/actuator-ended.txt")
                .run(context -> {
                    OutboxHealthIndicator health = context.getBean(OutboxHealthIndicator.class);
                    Await.until("it is up", () -> health.health().getStatus().equals(Status.UP));

                    EndedLoop.in(context.getBean(EventDelivery.class), "running", "relay", "threads", "assignment");

                    Await.until("it is down", () -> health.health().getStatus().equals(Status.DOWN));
                    assertThat(health.health().getDetails())
                            .extractingByKey("error")
                            .asString()
                            .contains("outbox-relay-assign", "restart");
                });
    }

    @Test
    void endpointShowsConfigurationAndStateWithoutSecrets() {
        application
                .withPropertyValues(
                        "outbox.destinations.log.kind=file",
                        "outbox.destinations.log.path=target/actuator-secret.txt",
                        "outbox.routes[0].name=orders",
                        "outbox.routes[0].match.event-type=OrderShipped",
                        "outbox.routes[0].to=log")
                .run(context -> {
                    JsonNode description = JsonMapper.shared()
                            .valueToTree(context.getBean(OutboxEndpoint.class).outbox());

                    assertThat(description.at("/table").asString()).isEqualTo("outbox_event");
                    assertThat(description.at("/delivery").asString()).isEqualTo("DISPATCHER");
                    assertThat(description.at("/destinations/log").asString()).isEqualTo("file");
                    assertThat(description.at("/routes/0").asString()).contains("orders", "OrderShipped", "log");
                    assertThat(description.at("/details/listeners").toString()).contains("Mailer.onPaid");
                    assertThat(description.at("/statistics/pending").isMissingNode())
                            .isFalse();
                    assertThat(description.toString()).doesNotContain("secret");
                });
    }

    @Test
    void worksWithoutActuatorAndMicrometer() {
        application
                .withClassLoader(new FilteredClassLoader(
                        HealthIndicator.class.getPackageName(),
                        Endpoint.class.getPackageName(),
                        "org.springframework.boot.actuate.autoconfigure",
                        MeterRegistry.class.getPackageName()))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(OutboxClient.class)
                        .doesNotHaveBean(OutboxHealthIndicator.class)
                        .doesNotHaveBean(OutboxEndpoint.class));
    }

    @Test
    void countsDeliveriesIfThereIsARegistry() {
        application.withBean(SimpleMeterRegistry.class).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> context.publishEvent(new OrderPaidEvent(1, 2)));
            context.getBean(Mailer.class).received().next();

            Await.until(
                    "the delivery is counted",
                    () -> registry.getMeters().stream()
                            .filter(meter -> meter.getId().getName().startsWith("outbox."))
                            .anyMatch(meter -> meter.measure().iterator().next().getValue() == 1.0));
        });
    }
}
