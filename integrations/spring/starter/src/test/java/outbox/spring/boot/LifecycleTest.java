package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.Database;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import outbox.model.EventStatus;

class LifecycleTest {

    static class SlowMailer {

        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch mayFinish = new CountDownLatch(1);
        private final AtomicBoolean finished = new AtomicBoolean();
        private final Received ids = new Received();

        @OutboxListener("OrderPaid")
        public void on(EventEnvelope event) throws InterruptedException {
            ids.add(event.eventId());
            started.countDown();
            finished.set(mayFinish.await(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void stopFinishesDeliveriesInFlightWhileTheDataSourceIsOpen() {
        String url = "jdbc:h2:mem:drained;DB_CLOSE_DELAY=-1";
        Applications.onH2()
                .withBean(SlowMailer.class)
                .withPropertyValues("spring.datasource.url=" + url)
                .run(context -> {
                    SlowMailer mailer = context.getBean(SlowMailer.class);
                    pay(context);
                    mailer.started.await(30, TimeUnit.SECONDS);

                    Thread stop = Thread.ofPlatform().start(context::close);
                    mailer.mayFinish.countDown();
                    stop.join(30_000);

                    assertThat(mailer.finished).isTrue();
                    JdbcDataSource database = new JdbcDataSource();
                    database.setUrl(url);
                    database.setUser("sa");
                    assertThat(new JdbcStores(database)
                                    .operations()
                                    .find(mailer.ids.next().toString())
                                    .orElseThrow()
                                    .status())
                            .isEqualTo(EventStatus.DONE);
                });
    }

    @Test
    void eventsPublishedBeforeAStartAndAfterAStopAreDeliveredLater() {
        Applications.onH2()
                .withBean(Mailer.class)
                .withPropertyValues("outbox.dispatcher.poller-skip-recent=0s")
                .run(context -> {
                    ConfigurableApplicationContext stoppable = context.getSourceApplicationContext();
                    stoppable.stop();
                    pay(context);
                    assertThat(context.getBean(EventDelivery.class).problem()).contains("not running");

                    stoppable.start();

                    assertThat(context.getBean(Mailer.class).received().next()).isEqualTo(new OrderPaidEvent(1, 2));
                    assertThat(context.getBean(EventDelivery.class).problem()).isNull();
                });
    }

    @Test
    void stopsAfterTheWebServerAndStartsBeforeIt() {
        assertThat(OutboxLifecycle.PHASE)
                .isLessThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE)
                .isLessThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE);
    }

    /** A bean that is created early, and the client with it. */
    static class EarlyBird {
        EarlyBird(OutboxClient client) {
            assertThat(client).isNotNull();
        }
    }

    @Test
    void checksTheTablesAfterScriptsHaveCreatedThem(@TempDir Path folder) throws IOException {
        Path script = folder.resolve("outbox.sql");
        Files.writeString(script, SchemaInstaller.print(Database.H2, TableNames.DEFAULT));

        Applications.onH2()
                .withBean(EarlyBird.class)
                .withBean(Mailer.class)
                .withPropertyValues(
                        "outbox.schema=check",
                        "spring.sql.init.mode=always",
                        "spring.sql.init.schema-locations=file:" + script)
                .run(context -> {
                    pay(context);

                    assertThat(context.getBean(Mailer.class).received().next()).isEqualTo(new OrderPaidEvent(1, 2));
                });
    }

    private static void pay(ApplicationContext context) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> context.publishEvent(new OrderPaidEvent(1, 2)));
    }
}
