package catbox.verification;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DatabaseMetaData;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxClient;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.relay.Relay;
import outbox.spi.TimeSource;

/** Arrows point one way: integrations, then stores and transports, then core; and inside core, from the story to its leaves. */
class LayeringTest {

    private static final JavaClasses ALL = new ClassFileImporter().importPackages("outbox");

    /** The production classes of all modules. */
    private static final JavaClasses EVERYTHING = new ClassFileImporter().importPaths(folders());

    /** The classes that a newcomer starts from put the stages together, and so know them all. */
    private static final DescribedPredicate<JavaClass> FACADES =
            JavaClass.Predicates.belongToAnyOf(OutboxClient.class, Outbox.class, Relay.class);

    private static final String[] CORE = {
        "outbox",
        "outbox.spi",
        "outbox.spi.operations",
        "outbox.spi.relay",
        "outbox.internal",
        "outbox.model",
        "outbox.message",
        "outbox.dispatch",
        "outbox.poller",
        "outbox.registry",
        "outbox.retention",
        "outbox.util"
    };

    @Test
    void theRulesSeeTheCodeTheyAreAbout() {
        assertThat(ALL.contain(EventEnvelope.class)).isTrue();
        assertThat(ALL.contain(JdbcOutboxRepository.class)).isTrue();
        assertThat(ALL.contain(Relay.class)).isTrue();
        for (String transport : TRANSPORTS) {
            assertThat(ALL.stream().map(JavaClass::getPackageName)).contains(transport);
        }
    }

    @Test
    void coreUsesNothingButTheJdk() {
        classes()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(CORE)
                        .or(resideInAnyPackage("java..", "javax.sql..", "javax.net.ssl..", "org.jspecify..")))
                .check(ALL);
    }

    @Test
    void theInnerPortsAreFreeOfJdbc() {
        classes()
                .that()
                .haveNameMatching(
                        "outbox\\.spi\\.(PublishStore|ClaimStore|SettleStore|HotPath.*|StatisticsStore|RetentionStore|PartitionStore|ClusterStore|ClusterAdmin|OperatorStore|DiagnosisStore|WakeUpChannel|Destination.*)")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(CORE)
                        .or(resideInAnyPackage("java.lang..", "java.util..", "java.time..", "org.jspecify..")))
                .check(ALL);
        noClasses()
                .that()
                .resideInAnyPackage("outbox.model", "outbox.registry", "outbox.retention", "outbox.util")
                .should()
                .dependOnClassesThat(resideInAPackage("java.sql.."))
                .check(ALL);
    }

    @Test
    void stagesDoNotSeeTheOnesBeforeThem() {
        noClasses()
                .that()
                .resideInAPackage("outbox.dispatch")
                .should()
                .dependOnClassesThat(resideInAnyPackage("outbox.poller", "outbox.retention"))
                .check(ALL);
        noClasses()
                .that()
                .resideInAnyPackage("outbox.spi..", "outbox.model", "outbox.registry")
                .should()
                .dependOnClassesThat(resideInAnyPackage("outbox.dispatch", "outbox.poller", "outbox.retention"))
                .check(ALL);
        noClasses()
                .that()
                .resideInAPackage("outbox.util")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("outbox..").and(DescribedPredicate.not(resideInAPackage("outbox.util"))))
                .check(ALL);
    }

    /** The stages of a relay. The loop joins them, a node has many loops, and the model is what stages hand to each other. */
    private static final List<String> RELAY_STAGES = List.of("claim", "order", "deliver", "settle");

    @Test
    void theRelayUsesNothingButCore() {
        classes()
                .that()
                .resideInAPackage("outbox.relay..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(CORE).or(resideInAnyPackage("outbox.relay..", "java..", "org.jspecify..")))
                .check(ALL);
        noClasses()
                .that()
                .resideInAPackage("outbox.relay..")
                .should()
                .dependOnClassesThat(resideInAPackage("java.sql.."))
                .check(ALL);
    }

    @Test
    void stagesOfTheRelayDoNotSeeEachOther() {
        String internal = "outbox.relay.internal.";
        assertThat(ALL.stream().map(JavaClass::getPackageName))
                .containsAll(
                        RELAY_STAGES.stream().map(stage -> internal + stage).toList());
        for (String stage : RELAY_STAGES) {
            onlySees(internal + stage, internal + "model");
        }
        onlySees(internal + "model");
        onlySees(
                internal + "loop",
                Stream.concat(Stream.of("model"), RELAY_STAGES.stream())
                        .map(room -> internal + room)
                        .toArray(String[]::new));
    }

    /** Whether a room of the relay's internals sees itself and these, and no other. */
    private static void onlySees(String room, String... others) {
        noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat(resideInAPackage("outbox.relay.internal..")
                        .and(DescribedPredicate.not(resideInAnyPackage(others)))
                        .and(DescribedPredicate.not(resideInAPackage(room))))
                .check(ALL);
    }

    /** An {@code internal} package belongs to the folder above it. What several of our modules share is in core's. */
    @Test
    void noModuleSeesInternalsOfAnother() {
        assertThat(EVERYTHING.stream().map(JavaClass::getPackageName))
                .contains("outbox.internal", "outbox.relay.internal.loop", "outbox.jdbc.internal.sql", "catbox.server");
        for (String owner : List.of("outbox.jdbc", "outbox.mongodb", "outbox.relay")) {
            noClasses()
                    .that()
                    .resideOutsideOfPackages(owner + "..", "catbox.simulation..", "catbox.mutations..")
                    .should()
                    .dependOnClassesThat(resideInAPackage(owner + ".internal.."))
                    .check(EVERYTHING);
        }
    }

    @Test
    void storesDoNotSeeTheRelay() {
        noClasses()
                .that()
                .resideInAnyPackage("outbox.jdbc..", "outbox.mongodb..")
                .should()
                .dependOnClassesThat(resideInAPackage("outbox.relay.."))
                .check(ALL);
    }

    @Test
    void theOperatorsSideUsesNothingButCore() {
        assertThat(ALL.stream().map(JavaClass::getPackageName)).contains("outbox.admin", "outbox.admin.view");
        classes()
                .that()
                .resideInAPackage("outbox.admin..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(CORE).or(resideInAnyPackage("outbox.admin..", "java..", "org.jspecify..")))
                .check(ALL);
    }

    @Test
    void theConsoleSeesOperationsAndNothingThatCarriesThemOut() {
        JavaClasses console = new ClassFileImporter().importPackages("catbox.console");
        assertThat(console.stream().map(JavaClass::getPackageName)).contains("catbox.console");
        noClasses()
                .that()
                .resideInAPackage("catbox.console..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "catbox.server..", "outbox.jdbc..", "outbox.mongodb..", "outbox.relay..", "java.sql.."))
                .check(console);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().assignedFrom(new Slices())
                .should()
                .beFreeOfCycles()
                .ignoreDependency(FACADES, DescribedPredicate.alwaysTrue())
                .check(ALL);
    }

    private static List<Path> folders() {
        try (Stream<Path> all = Files.walk(DocsTest.root(), 4)) {
            return all.filter(folder -> folder.endsWith(Path.of("target", "classes")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void storesAndTransportsDoNotMeet() {
        noClasses()
                .that()
                .resideInAnyPackage("outbox.jdbc..", "outbox.mongodb..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("outbox.kafka..", "outbox.rabbitmq..", "outbox.sqs..", "outbox.http.."))
                .check(ALL);
        noClasses()
                .that()
                .resideInAnyPackage("outbox.kafka..", "outbox.rabbitmq..", "outbox.sqs..", "outbox.http..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("outbox.jdbc..", "outbox.mongodb.."))
                .check(ALL);
    }

    /** All other code asks a dialect for what differs, so that a new database is one more dialect and nothing else. */
    @Test
    void onlyDialectsKnowWhichDatabaseTheyRunOn() {
        String dialects = "outbox.jdbc.internal.dialect";
        DescribedPredicate<JavaClass> others =
                resideInAPackage("outbox.jdbc..").and(DescribedPredicate.not(resideInAPackage(dialects)));
        assertThat(ALL.stream()
                        .filter(others)
                        .flatMap(type -> type.getInstanceofChecks().stream())
                        .filter(check -> check.getRawType().getPackageName().equals(dialects)))
                .isEmpty();
        // The name of a dialect is the folder of its migrations.
        noClasses()
                .that(others)
                .and()
                .doNotHaveFullyQualifiedName("outbox.jdbc.SchemaInstaller")
                .and()
                .resideOutsideOfPackage("outbox.jdbc.internal.schema")
                .should()
                .callMethod(Dialect.class, "name")
                .orShould()
                .callMethod(DatabaseMetaData.class, "getDatabaseProductName")
                .check(ALL);
    }

    private static final String[] TRANSPORTS = {"outbox.kafka", "outbox.rabbitmq", "outbox.sqs", "outbox.http"};

    @Test
    void transportsSeeNeitherTheRelayNorEachOther() {
        for (String transport : TRANSPORTS) {
            Set<String> others = Arrays.stream(TRANSPORTS)
                    .filter(other -> !other.equals(transport))
                    .map(other -> other + "..")
                    .collect(Collectors.toSet());
            others.addAll(Set.of("outbox.relay..", "outbox.dispatch..", "outbox.poller..", "outbox.registry.."));
            noClasses()
                    .that()
                    .resideInAPackage(transport + "..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(others.toArray(String[]::new)))
                    .check(ALL);
        }
    }

    /** What joins the outbox to a framework; nothing below may know it. */
    private static final String[] INTEGRATIONS = {"outbox.micrometer..", "outbox.spring.."};

    @Test
    void nothingBelowTheIntegrationsSeesThem() {
        assertThat(ALL.stream().map(JavaClass::getPackageName))
                .contains("outbox.micrometer", "outbox.spring", "outbox.spring.boot", "outbox.mongodb");
        noClasses()
                .that(DescribedPredicate.not(resideInAnyPackage(INTEGRATIONS)))
                .should()
                .dependOnClassesThat(resideInAnyPackage(INTEGRATIONS))
                .check(ALL);
        noClasses()
                .that()
                .resideInAPackage("outbox.micrometer..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("outbox.jdbc..", "outbox.mongodb..", "outbox.spring.."))
                .orShould()
                .dependOnClassesThat(
                        resideInAnyPackage("outbox.kafka..", "outbox.rabbitmq..", "outbox.sqs..", "outbox.http.."))
                .check(ALL);
    }

    @Test
    void messagesAreMadeOfValuesAlone() {
        noClasses()
                .that()
                .resideInAPackage("outbox.message")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "outbox.spi.relay",
                        "outbox.spi.operations",
                        "outbox.dispatch",
                        "outbox.poller",
                        "outbox.registry",
                        "outbox.retention"))
                .check(ALL);
    }

    @Test
    void onlyTheWiringReadsAClockSleepsOrRollsDice() {
        Set<String> wiring = Set.of(
                TimeSource.class.getName(), ExponentialBackoffRetryPolicy.class.getName(), "outbox.internal.Ulids");
        noClasses()
                .that(DescribedPredicate.describe(
                        "are not wiring",
                        type -> !wiring.contains(type.getName().replaceFirst("\\$.*", ""))))
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "it reads a clock, sleeps or rolls dice", LayeringTest::isTimeOrChance))
                .check(ALL);
    }

    private static boolean isTimeOrChance(JavaCall<?> call) {
        String owner = call.getTargetOwner().getFullName();
        String method = call.getName();
        return (owner.equals(Instant.class.getName()) && method.equals("now"))
                || (owner.equals(Clock.class.getName()) && method.startsWith("system"))
                || (owner.equals(System.class.getName())
                        && Set.of("nanoTime", "currentTimeMillis").contains(method))
                || (owner.equals(Thread.class.getName()) && method.equals("sleep"))
                || (owner.equals(Math.class.getName()) && method.equals("random"))
                || owner.equals(Random.class.getName())
                || owner.equals(ThreadLocalRandom.class.getName());
    }
}
