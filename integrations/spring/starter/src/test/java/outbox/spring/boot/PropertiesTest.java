package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import outbox.OutboxClient;
import outbox.OutboxConfig;
import outbox.relay.DestinationConfig;
import outbox.relay.RelayConfig;
import outbox.relay.config.DestinationSettings;
import outbox.relay.config.RelaySettings;
import outbox.spi.TxContext;
import outbox.spi.relay.ClaimStrategy;
import outbox.spring.SpringTxContext;

class PropertiesTest {

    // ---- what is set ---------------------------------------------------------------------------------------------

    @Test
    void unsetPropertiesKeepTheEnginesDefaults() {
        Applications.onH2()
                .run(context -> assertThat(
                                context.getBean(DispatcherDelivery.Plan.class).config())
                        .usingRecursiveComparison()
                        .isEqualTo(new OutboxConfig()));
    }

    @Test
    void everyDispatcherPropertySetsItsSetting() {
        Applications.onH2()
                .withPropertyValues(
                        "outbox.dispatcher.workers=2",
                        "outbox.dispatcher.hot-queue-capacity=11",
                        "outbox.dispatcher.cold-queue-capacity=12",
                        "outbox.dispatcher.queue-size-max=3MB",
                        "outbox.dispatcher.poller-enabled=true",
                        "outbox.dispatcher.poller-interval=7s",
                        "outbox.dispatcher.poller-batch-size=13",
                        "outbox.dispatcher.poller-skip-recent=7s",
                        "outbox.dispatcher.retry-base-delay=14ms",
                        "outbox.dispatcher.retry-max-delay=15s",
                        "outbox.dispatcher.retry-max-attempts=3",
                        "outbox.give-up-after=19h",
                        "outbox.dispatcher.deaths-max=7",
                        "outbox.dispatcher.claim-lease=16s",
                        "outbox.dispatcher.settle-linger=17ms",
                        "outbox.dispatcher.drain-timeout=18s")
                .run(context -> assertThat(
                                context.getBean(DispatcherDelivery.Plan.class).config())
                        .usingRecursiveComparison()
                        .isEqualTo(new OutboxConfig()
                                .setDispatcherWorkers(2)
                                .setHotQueueCapacity(11)
                                .setColdQueueCapacity(12)
                                .setQueueBytesMax(3L * 1024 * 1024)
                                .setPollerEnabled(true)
                                .setPollerIntervalMs(7_000)
                                .setPollerBatchSize(13)
                                .setPollerSkipRecentMs(7_000)
                                .setRetryBaseDelayMs(14)
                                .setRetryMaxDelayMs(15_000)
                                .setRetryMaxAttempts(3)
                                .setGiveUpAfterMs(19 * 3_600_000)
                                .setDeathsMax(7)
                                .setClaimLeaseMs(16_000)
                                .setSettleLingerMs(17)
                                .setDrainTimeoutMs(18_000)));
    }

    @Test
    void aListMayBeWrittenAsOneTextOrAsAList() {
        for (String[] to : List.of(
                new String[] {"outbox.routes[0].to=one, two/there"},
                new String[] {"outbox.routes[0].to[0]=one", "outbox.routes[0].to[1]=two/there"})) {
            Applications.onH2()
                    .withPropertyValues(to)
                    .withPropertyValues(
                            "outbox.destinations.one.kind=file",
                            "outbox.destinations.one.path=target/one.txt",
                            "outbox.destinations.two.kind=file",
                            "outbox.destinations.two.path=target/two.txt",
                            "outbox.routes[0].name=orders",
                            "outbox.routes[0].match.event-type=Order*",
                            "outbox.routes[0].match.header.region=eu")
                    .run(context -> assertThat(context.getBean(ConfiguredRoutes.class)
                                    .routes()
                                    .table())
                            .hasToString("orders: {event type=Order*, header region=eu} → one, two/there\n"));
        }
    }

    @Test
    void namesAndKeysOfDestinationsKeepTheirSpelling() {
        Applications.onH2()
                .withPropertyValues(
                        "outbox.destinations.kafkaMain.kind=file",
                        "outbox.destinations.kafkaMain.path=target/one.txt",
                        "outbox.destinations.kafkaMain.property.compression.type=lz4",
                        "outbox.delivery=none")
                .run(context -> {
                    DestinationSettings plan = context.getBean(ConfiguredRoutes.class)
                            .destinations()
                            .get("kafkaMain");
                    assertThat(plan.values()).containsEntry("property.compression.type", "lz4");
                });
    }

    // ---- beans ---------------------------------------------------------------------------------------------------

    @Test
    void withoutADataSourceThereIsNoOutbox() {
        Applications.withoutDataSource()
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(OutboxClient.class));
    }

    @Test
    void canBeSwitchedOff() {
        Applications.onH2()
                .withPropertyValues("outbox.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(OutboxClient.class));
    }

    @Test
    void theApplicationsOwnBeansWin() {
        Applications.onH2()
                .withUserConfiguration(OwnContext.class)
                .run(context -> assertThat(context.getBean(TxContext.class)).isSameAs(context.getBean("ownTxContext")));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnContext {

        @Bean
        TxContext ownTxContext(DataSource dataSource) {
            return new SpringTxContext(dataSource);
        }
    }

    // ---- several DataSources -------------------------------------------------------------------------------------

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource orders() {
            return inMemory("orders");
        }

        @Bean
        DataSource reports() {
            return inMemory("reports");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnePrimary {

        @Bean
        @Primary
        DataSource orders() {
            return inMemory("primary");
        }

        @Bean
        DataSource reports() {
            return inMemory("secondary");
        }
    }

    private static JdbcDataSource inMemory(String name) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    @Test
    void takesTheNamedOneOfSeveralDataSources() {
        Applications.onH2()
                .withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("outbox.data-source=reports")
                .run(context -> assertThat(context.getBean(JdbcStore.class).dataSource())
                        .isSameAs(context.getBean("reports")));
    }

    @Test
    void takesThePrimaryOneOfSeveralDataSources() {
        Applications.onH2()
                .withUserConfiguration(OnePrimary.class)
                .run(context -> assertThat(context.getBean(JdbcStore.class).dataSource())
                        .isSameAs(context.getBean("orders")));
    }

    @Test
    void refusesSeveralDataSourcesWithoutAChoiceAndNamesThem() {
        Applications.onH2()
                .withUserConfiguration(TwoDataSources.class)
                .run(context -> assertThat(description(context)).contains("outbox.data-source", "[orders, reports]"));
    }

    @Test
    void refusesAnUnknownDataSourceAndNamesTheOthers() {
        Applications.onH2()
                .withUserConfiguration(TwoDataSources.class)
                .withPropertyValues("outbox.data-source=order")
                .run(context -> assertThat(description(context))
                        .contains("outbox.data-source", "\"order\"", "[orders, reports]"));
    }

    // ---- errors --------------------------------------------------------------------------------------------------

    @Test
    void refusesInvalidPropertiesWithTheirNamesAndTheAllowedValues() {
        assertThat(descriptionWith("outbox.dispatcher.workers=0"))
                .contains("outbox.dispatcher.workers", "from 1 to 10000, was 0");
        assertThat(descriptionWith("outbox.table=drop table")).contains("outbox.table", "\"drop table\"");
        assertThat(descriptionWith("outbox.retention.daily-at=noon"))
                .contains("outbox", "retention.daily-at", "such as 03:00, was \"noon\"");
        assertThat(descriptionWith("outbox.retention.keep=1d"))
                .contains("unknown settings [retention.keep]", "retention.keep-done");
        assertThat(descriptionWith("outbox.wake-up=on", "outbox.delivery=none"))
                .contains("outbox.wake-up", "PostgreSQL");
    }

    @Test
    void refusesAMisspeltProperty() {
        Applications.onH2()
                .withPropertyValues("outbox.delivry=none")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("outbox.delivry"));
        Applications.onH2()
                .withPropertyValues("outbox.dispatcher.worker=8")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("outbox.dispatcher.worker"));
    }

    @Test
    void refusesInvalidDestinationsAndRoutesWithTheirNames() {
        assertThat(descriptionWith("outbox.destinations.main.path=x"))
                .contains("outbox.destinations.main", "setting kind is missing");
        assertThat(descriptionWith("outbox.destinations.main.kind=file", "outbox.destinations.main.paht=x"))
                .contains("outbox.destinations.main", "path");
        assertThat(descriptionWith("outbox.destinations.main.kind=pigeon"))
                .contains("outbox.destinations.main", "pigeon", "file");
        assertThat(descriptionWith("outbox.destinations.a.kind=file", "outbox.destinations.b.kind=file"))
                .contains("outbox.routes", "[a, b]");
        assertThat(descriptionWith("outbox.routes[0].name=orders", "outbox.routes[0].to=main"))
                .contains("outbox.routes", "route orders leads to destination main");
        assertThat(descriptionWith(
                        "outbox.routes[0].name=orders", "outbox.routes[0].match.typ=x", "outbox.routes[0].to=main"))
                .contains("outbox.routes", "match.typ");
    }

    @Test
    void refusesInvalidRelaySettingsWithTheirNames() {
        assertThat(descriptionWith("outbox.delivery=relay"))
                .contains("outbox.destinations", "at least one destination");
        assertThat(descriptionWith("outbox.delivery=relay", "outbox.relay.patitions=3"))
                .contains("outbox.relay", "unknown settings [patitions]", "partitions");
        assertThat(descriptionWith("outbox.delivery=relay", "outbox.relay.claim-strategy=all"))
                .contains(
                        "outbox.relay",
                        "setting claim-strategy must be one of [partitioned, primary, lease], was \"all\"");
    }

    @ParameterizedTest
    @CsvSource({
        "claim, claim-strategy",
        "lease, claim-lease",
        "timeout, node-timeout",
        "drain, drain-timeout",
        "fetch-max, fetch-events-max",
        "poll-max, poll-interval-max",
        "done-rows, done-events",
        "dead-key, on-dead-event (continue or pause-key)"
    })
    void refusesAFormerNameOfARelaySettingAndNamesTheNewOne(String former, String name) {
        assertThat(descriptionWith("outbox.delivery=relay", "outbox.relay." + former + "=1s"))
                .contains("outbox.relay: setting " + former + " has been renamed; set " + name + " instead");
        assertThat(descriptionWith("outbox.delivery=relay", "outbox.relay.wrong=1"))
                .containsPattern("there are \\[.*\\b" + name.replaceFirst(" .*", "") + "\\b.*]")
                .doesNotContainPattern("[\\[ ]" + former + "[,\\]]");
    }

    @ParameterizedTest
    @CsvSource({"breaker-rest, breaker-open-time", "breaker-rest-max, breaker-open-time-max"})
    void refusesAFormerNameOfADestinationsSettingAndNamesTheNewOne(String former, String name) {
        String prefix = "outbox.destinations.main.";
        assertThat(descriptionWith(prefix + "kind=file", prefix + former + "=1s"))
                .contains(
                        "outbox.destinations.main: ",
                        "setting " + former + " has been renamed; set " + name + " instead");
        assertThat(descriptionWith(prefix + "kind=file", prefix + name + "=soon"))
                .contains("setting " + name + " must be a time");
        assertThat(descriptionWith(prefix + "kind=file", prefix + "path=target/x.txt", prefix + name + "=4s"))
                .contains("[" + name + "] are a relay's settings");
    }

    @Test
    void everyRenamedRelaySettingReachesTheRelay() {
        Applications.onH2()
                .withPropertyValues(
                        "outbox.delivery=relay",
                        "outbox.destinations.main.kind=file",
                        "outbox.destinations.main.path=target/x.txt",
                        "outbox.destinations.main.breaker-open-time=3s",
                        "outbox.destinations.main.breaker-open-time-max=5s",
                        "outbox.relay.claim-strategy=primary",
                        "outbox.relay.claim-lease=41s",
                        "outbox.relay.node-timeout=42s",
                        "outbox.relay.drain-timeout=43s",
                        "outbox.relay.fetch-events-max=44",
                        "outbox.relay.poll-interval-max=45s",
                        "outbox.relay.done-events=delete",
                        "outbox.relay.on-dead-event=pause-key")
                .run(context -> {
                    RelayConfig config = context.getBean(RelaySettings.class).config();
                    assertThat(config.terms().strategy()).isEqualTo(ClaimStrategy.PRIMARY);
                    assertThat(config.claim().lease()).isEqualTo(Duration.ofSeconds(41));
                    assertThat(config.cluster().timeout()).isEqualTo(Duration.ofSeconds(42));
                    assertThat(config.cluster().drain()).isEqualTo(Duration.ofSeconds(43));
                    assertThat(config.claim().fetchMax()).isEqualTo(44);
                    assertThat(config.claim().pollMax()).isEqualTo(Duration.ofSeconds(45));
                    assertThat(config.settle().doneRows()).hasToString("DELETE");
                    assertThat(config.settle().onDeadEvent()).hasToString("PAUSE_KEY");
                    DestinationConfig destination = context.getBean(ConfiguredRoutes.class)
                            .destinations()
                            .get("main")
                            .treatment();
                    assertThat(destination.breakerRest()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(destination.breakerRestMax()).isEqualTo(Duration.ofSeconds(5));
                });
        assertThat(descriptionWith("outbox.delivery=relay", "outbox.relay.on-dead-event=halt"))
                .contains("outbox.relay: setting on-dead-event must be one of [continue, pause-key], was \"halt\"");
    }

    @Test
    void refusesRelaySettingsForTheDispatcher() {
        assertThat(descriptionWith(
                        "outbox.destinations.main.kind=file",
                        "outbox.destinations.main.path=target/x.txt",
                        "outbox.destinations.main.events-per-second-max=5"))
                .contains("outbox.destinations.main", "[events-per-second-max]", "outbox.delivery to relay");
    }

    @Test
    void missingTablesAreReportedWithTheirInstallation() {
        Applications.onH2().withPropertyValues("outbox.schema=check").run(context -> {
            FailureAnalysis analysis = analysis(context);
            assertThat(analysis.getDescription()).contains("table outbox_meta does not exist");
            assertThat(analysis.getAction()).contains("outbox.schema=install");
        });
    }

    @Test
    void aSmallPoolIsReportedWithThePropertyToRaise() {
        Applications.onH2()
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=2")
                .run(context -> assertThat(analysis(context).getAction()).contains("maximum-pool-size"));
    }

    @Test
    void refusesAnInstanceThatDoesNotMatchTheTable() {
        String url = "spring.datasource.url=jdbc:h2:mem:terms;DB_CLOSE_DELAY=-1";
        Applications.onH2()
                .withPropertyValues(url)
                .run(context -> assertThat(context).hasNotFailed());

        Applications.onH2()
                .withPropertyValues(
                        url,
                        "outbox.delivery=relay",
                        "outbox.destinations.main.kind=file",
                        "outbox.destinations.main.path=target/x.txt")
                .run(context -> assertThat(analysis(context).getAction()).contains("outbox.delivery"));
    }

    @Test
    void saysWhichDeliveryKeepsTheOrderThatTheDispatcherHad() {
        assertThat(descriptionWith("outbox.ordering=key"))
                .contains("outbox.ordering no longer exists", "outbox.delivery=relay");
        assertThat(descriptionWith("outbox.ordering=none")).contains("remove outbox.ordering");
    }

    private static String descriptionWith(String... properties) {
        String[] description = new String[1];
        Applications.onH2().withPropertyValues(properties).run(context -> description[0] = description(context));
        return description[0];
    }

    private static String description(AssertableApplicationContext context) {
        return analysis(context).getDescription();
    }

    private static FailureAnalysis analysis(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new OutboxFailureAnalyzer().analyze(context.getStartupFailure());
        assertThat(analysis).as("analysis of " + context.getStartupFailure()).isNotNull();
        assertThat(analysis).extracting(FailureAnalysis::getDescription, STRING).isNotBlank();
        return analysis;
    }
}
