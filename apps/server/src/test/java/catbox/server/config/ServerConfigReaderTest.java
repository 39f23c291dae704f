package catbox.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.Pause;

class ServerConfigReaderTest {

    private static final String SMALL = """
            sources:
              orders:
                url: jdbc:h2:mem:orders
            destinations:
              archive:
                kind: http
                base-url: https://example.com
            """;

    @TempDir
    Path folder;

    // ---- what is read --------------------------------------------------------------------------------------------

    @Test
    void needsOnlyASourceAndADestination() {
        ServerConfig config = read(SMALL, Map.of("HOSTNAME", "pod-1"));

        assertThat(config.web()).isEqualTo(new WebPlan("127.0.0.1", 8081, 8091, false));
        assertThat(config.nodeId()).isEqualTo("pod-1");
        assertThat(config.logging())
                .isEqualTo(new LoggingPlan(LoggingPlan.Format.TEXT, LoggingPlan.Level.INFO, Map.of()));
        SourcePlan source = config.sources().get("orders");
        assertThat(source.enabled()).isTrue();
        assertThat(source.database().events()).isEqualTo("table outbox_event");
        assertThat(source.table().schema()).isEqualTo(SourcePlan.Schema.CHECK);
        assertThat(source.relay().config().terms().partitions()).isEqualTo(6);
        assertThat(source.database().login().poolSize()).isEqualTo(13);
        assertThat(config.routing().destinationsOf("orders")).containsOnlyKeys("archive");
    }

    @ParameterizedTest
    @CsvSource({"8082, 8092", "65530, 65520", "0, 0"})
    void hasLivenessOnAPortOfItsOwnByDefault(int port, int livenessPort) {
        ServerConfig config = read(SMALL + "server: { port: " + port + " }\n", Map.of());

        assertThat(config.web().livenessPort()).isEqualTo(livenessPort);
    }

    @Test
    void readsEverySection() {
        ServerConfig config = read("""
                server: { port: 9000, address: 0.0.0.0, liveness-port: 9001, reload-on-change: true }
                logging:
                  format: json
                  level: warn
                  levels:
                    outbox.relay: debug
                node: { id: node-7, weight: 3, heartbeat: 500ms, node-timeout: 5s, drain-timeout: 0 }
                sources:
                  orders:
                    url: jdbc:postgresql://localhost/orders
                    user: ann
                    password: secret
                    table: billing.events_event
                    claim-strategy: lease
                    partitions: 12
                    workers: 2
                    pool-size: 30
                    connect-timeout: 3s
                    schema: install
                    wake-up: off
                    retention:
                      keep-done: 30d
                      daily-at: 04:30
                    paused: true
                  other:
                    url: jdbc:mariadb://localhost/other
                    weight: 0
                    enabled: false
                destinations:
                  first: { kind: http, base-url: 'https://example.com', paused: true }
                  second:
                    kind: kafka
                    bootstrap-servers: [one:9092, two:9092]
                    property.compression.type: lz4
                routes:
                  - name: big
                    match:
                      source: orders
                      event-type: Order*
                      header: { region: eu }
                    to: [first, second/orders]
                    weight: 5
                  - name: rest
                    to: second
                    paused: true
                """, Map.of());

        assertThat(config.web()).isEqualTo(new WebPlan("0.0.0.0", 9000, 9001, true));
        assertThat(config.logging().levels()).containsEntry("outbox.relay", LoggingPlan.Level.DEBUG);
        SourcePlan orders = config.sources().get("orders");
        assertThat(orders.database().events()).isEqualTo("table billing.events_event");
        assertThat(orders.relay().config().terms().strategy()).isEqualTo(ClaimStrategy.LEASE);
        assertThat(orders.relay().config().cluster().weight()).isEqualTo(3);
        assertThat(orders.relay().config().cluster().drain()).isEqualTo(Duration.ZERO);
        assertThat(orders.relay().retention().orElseThrow().keepDone()).isEqualTo(Duration.ofDays(30));
        assertThat(orders.listens()).isFalse();
        assertThat(config.sources().get("other").relay().config().cluster().weight())
                .isZero();
        assertThat(config.sources().get("other").enabled()).isFalse();
        assertThat(config.routing().destinationsOf("orders")).containsOnlyKeys("first", "second");
        assertThat(config.routing().destinationsOf("other")).containsOnlyKeys("second");
        assertThat(config.routing().pauses(true).keySet())
                .containsExactlyInAnyOrder(
                        new Pause.Subject(Pause.Kind.SOURCE, ""),
                        new Pause.Subject(Pause.Kind.ROUTE, "rest"),
                        new Pause.Subject(Pause.Kind.DESTINATION, "first"));
    }

    /** Spring Boot's loader and binder change each of these. */
    @Test
    void takesEveryValueAndNameAsItIsWritten() {
        ServerConfig config = read("""
                sources:
                  orders: { url: 'jdbc:h2:mem:one', password: 0123, user: 0x10, retention.daily-at: 12:30 }
                  Orders: { url: 'jdbc:h2:mem:two', wake-up: off }
                destinations:
                  archive: { kind: http, base-url: 'https://example.com', header.X_Trace: c }
                """, Map.of());

        assertThat(password(config)).isEqualTo("0123");
        SourcePlan orders = config.sources().get("orders");
        assertThat(orders.database().login().user()).isEqualTo("0x10");
        assertThat(orders.relay().retention().orElseThrow().dailyAt()).isEqualTo(LocalTime.of(12, 30));
        assertThat(config.sources().get("Orders").database().login().url()).isEqualTo("jdbc:h2:mem:two");
        assertThat(config.routing().destinations().get("archive").values()).containsEntry("header.X_Trace", "c");
    }

    @Test
    void fillsPlaceholdersInFromTheEnvironment() {
        String text = SMALL.replace("mem:orders", "mem:${DB}").replace("https:", "${SCHEME:https}:");

        ServerConfig config = read(text, Map.of("DB", "billing"));

        assertThat(config.sources().get("orders").database().login().url()).isEqualTo("jdbc:h2:mem:billing");
    }

    @Test
    void readsSecretsFromTheEnvironmentAndFromFiles() throws Exception {
        Path secret = Files.writeString(folder.resolve("password"), "from a file\n");
        String text = SMALL.replace("mem:orders\n", "mem:orders\n    password: PLACE\n");

        assertThat(password(read(text.replace("PLACE", "file:" + secret), Map.of())))
                .isEqualTo("from a file");
        assertThat(password(read(text.replace("PLACE", "env:SECRET"), Map.of("SECRET", "from outside"))))
                .isEqualTo("from outside");
        assertThat(errors(text.replace("PLACE", "env:SECRET"), Map.of()))
                .containsExactly(
                        "line 4: source orders: setting password refers to the environment variable SECRET, which is not set");
    }

    @Test
    void showsNoSecretByAccident() {
        String url = "jdbc:postgresql://ann:hidden@localhost/orders?password=hidden";
        SourcePlan plan = read(SMALL.replace("jdbc:h2:mem:orders\n", url + "\n    password: hidden\n"), Map.of())
                .sources()
                .get("orders");

        assertThat(plan + plan.database().place()).doesNotContain("hidden");
    }

    // ---- MongoDB -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "mongodb://one:27017/?replicaSet=r, '', '', outbox, outbox_event",
        "mongodb://one/shop?replicaSet=r, '', '', shop, outbox_event",
        "mongodb+srv://cluster.example.com/shop, billing, outbox_dispatch_jobs, billing, outbox_dispatch_jobs",
        "mongodb://ann:hid%40den@one/shop, billing, '', billing, outbox_event",
    })
    void readsWhereInMongoDbTheEventsAre(String url, String given, String table, String database, String collection) {
        SourcePlan plan = mongo(url, "mongo-database: '" + given + "', table: '" + table + "'");

        assertThat(plan.database().events()).isEqualTo("collection " + collection + " of database " + database);
        assertThat(plan.listens()).isTrue();
        assertThat(plan + plan.database().place() + plan.database()).doesNotContain("hid");
    }

    @Test
    void putsUserAndPasswordIntoTheConnectionString() {
        MongoPlan plan = (MongoPlan) mongo("mongodb://one,two/?replicaSet=r", "user: 'a@n', password: 'p:/?#[]@ +%'")
                .database();

        assertThat(plan.user()).isEqualTo("a@n");
        assertThat(plan.connectionString())
                .isEqualTo("mongodb://a%40n:p%3A%2F%3F%23%5B%5D%40%20%2B%25@one,two/?replicaSet=r");
        assertThat(plan.toString() + plan.login()).doesNotContain("p:/");
    }

    @Test
    void refusesWhatMongoDbCannotBeReachedWith() {
        assertThat(mongoErrors("mongodb://one:nine", "wake-up: auto"))
                .satisfiesExactly(error -> assertThat(error).contains("setting url is no connection string"));
        assertThat(mongoErrors("mongodb://ann:hid/den@one", "wake-up: auto"))
                .satisfiesExactly(error -> assertThat(error)
                        .contains("percent-encoded")
                        .doesNotContain("hid")
                        .doesNotContain("den"));
        assertThat(mongoErrors("mongodb://ann:hidden@one", "user: bob"))
                .satisfiesExactly(error ->
                        assertThat(error).contains("the url names one too").doesNotContain("hidden"));
        assertThat(mongoErrors("mongodb://one", "password: hidden"))
                .satisfiesExactly(
                        error -> assertThat(error).contains("without a user").doesNotContain("hidden"));
        assertThat(mongoErrors("mongodb://one", "mongo-database: 'a b'"))
                .satisfiesExactly(error -> assertThat(error).contains("mongo-database"));
        assertThat(mongoErrors("mongodb://one", "table: 'a$b'"))
                .satisfiesExactly(error -> assertThat(error).contains("table", "\"a$b\""));
        assertThat(mongoErrors("jdbc:h2:mem:orders", "mongo-database: shop"))
                .satisfiesExactly(error -> assertThat(error).contains("mongo-database is for sources in MongoDB"));
    }

    private static SourcePlan mongo(String url, String settings) {
        return read(mongoText(url, settings), Map.of()).sources().get("orders");
    }

    private static List<String> mongoErrors(String url, String settings) {
        return errors(mongoText(url, settings), Map.of());
    }

    private static String mongoText(String url, String settings) {
        return SMALL.replace("    url: jdbc:h2:mem:orders\n", "")
                .replace("  orders:\n", "  orders: { url: '" + url + "', " + settings + " }\n");
    }

    // ---- names ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "from-variable, from-file, from-host, from-variable",
        "'', from-file, from-host, from-file",
        "'', '', from-host, from-host",
    })
    void choosesTheNameOfTheNode(String variable, String configured, String host, String chosen) {
        String text = SMALL + (configured.isEmpty() ? "" : "node: { id: " + configured + " }\n");

        assertThat(read(text, Map.of("OUTBOX_NODE_ID", variable, "HOSTNAME", host))
                        .nodeId())
                .isEqualTo(chosen);
    }

    @Test
    void takesAnEmptyNameAsNone() {
        ServerConfig config = read(SMALL + "node: { id: \"${NODE_ID:}\" }\n", Map.of("HOSTNAME", "pod-1"));

        assertThat(config.nodeId()).isEqualTo("pod-1");
        assertThat(config.sources().get("orders").relay().config().cluster().nodeId())
                .isEqualTo("pod-1");
    }

    @Test
    void generatesANameOnceIfNoneIsGiven() {
        ServerConfigReader reader = new ServerConfigReader(name -> null);
        String made = reader.read("catbox.yaml", SMALL).nodeId();

        assertThat(reader.read("catbox.yaml", SMALL).nodeId()).isEqualTo(made);
        assertThat(new ServerConfigReader(name -> null)
                        .read("catbox.yaml", SMALL)
                        .nodeId())
                .isNotEqualTo(made);
    }

    @Test
    void overridesThePartitionsOfEverySource() {
        ServerConfig config = read(
                SMALL.replace("mem:orders\n", "mem:orders\n    partitions: 3\n"), Map.of("OUTBOX_PARTITIONS", "9"));

        assertThat(config.sources().get("orders").relay().config().terms().partitions())
                .isEqualTo(9);
        assertThat(errors(SMALL, Map.of("OUTBOX_PARTITIONS", "many")))
                .containsExactly(
                        "environment: setting OUTBOX_PARTITIONS must be a whole number from 1 to 1024, was \"many\"");
    }

    // ---- what is refused -----------------------------------------------------------------------------------------

    @Test
    void reportsAllErrorsAtOnceWithTheirLines() {
        assertThat(errors("""
                        server:
                          port: eighty
                          adress: x
                        logging:
                          levels:
                            outbox: loud
                        node:
                          heartbeat: soon
                          partitions: 6
                        sources:
                          orders:
                            url: jdbc:oracle:thin
                            partitions: 0
                            partition: 6
                        destinations:
                          k:
                            kind: kafka
                            bootstrap-servers: localhost:9092
                            deadline: 1 day
                            topics: x
                          x: { kind: pigeon }
                        routes:
                          - to: k
                          - name: b
                            to: elsewhere
                          - name: c
                            match: { source: customers }
                            to: k
                        alerts: {}
                        """, Map.of()))
                .satisfiesExactly(
                        at(2, "server: setting port must be a whole number from 0 to 65535, was \"eighty\""),
                        at(
                                3,
                                "server: unknown settings [adress]; there are [address, liveness-port, port, reload-on-change]"),
                        at(6, "logging: setting levels.outbox must be one of [off, error, warn, info, debug, trace]"),
                        at(8, "node: setting heartbeat must be a time"),
                        at(
                                9,
                                "node: unknown settings [partitions]; there are [drain-timeout, heartbeat, id, node-timeout, weight]"),
                        at(12, "source orders: setting url must begin with one of [jdbc:postgresql:, jdbc:mysql:"),
                        at(13, "source orders: setting partitions must be a whole number from 1 to 1024, was \"0\""),
                        at(
                                14,
                                "source orders: unknown settings [partition]; there are [claim-lease, claim-strategy, connect-timeout"),
                        at(19, "destination k: setting deadline must be a time"),
                        at(20, "destination k: unknown settings [topics]; there are [bootstrap-servers"),
                        at(
                                21,
                                "destination x: setting kind is \"pigeon\", for which there is no transport; there are [file"),
                        at(23, "setting name is missing"),
                        at(24, "route b leads to destination elsewhere, and the destinations are [k, x]"),
                        at(
                                27,
                                "route c: setting match.source names the source customers, and the sources are [orders]"),
                        at(29, "unknown section alerts; there are [access, destinations, logging, node, routes"));
    }

    @Test
    void namesTheNewNameOfEverySettingThatHasAFormerOne() {
        assertThat(errors("""
                        server:
                          watch: true
                        access:
                          session: 1h
                          session-max: 2h
                        node:
                          timeout: 5s
                          drain: 5s
                        sources:
                          orders:
                            url: jdbc:h2:mem:orders
                            claim: primary
                            lease: 1m
                            timeout: 5s
                            drain: 5s
                            fetch-max: 10
                            poll-max: 1s
                            done-rows: keep
                            dead-key: halt
                        destinations:
                          archive:
                            kind: http
                            base-url: https://example.com
                            breaker-rest: 1s
                            breaker-rest-max: 2s
                        """, Map.of()))
                .containsExactly(
                        "line 2: server: setting watch has been renamed; set reload-on-change instead",
                        "line 4: access: setting session has been renamed; set session-idle-timeout instead",
                        "line 5: access: setting session-max has been renamed; set session-lifetime instead",
                        "line 7: node: setting timeout has been renamed; set node-timeout instead",
                        "line 8: node: setting drain has been renamed; set drain-timeout instead",
                        "line 12: source orders: setting claim has been renamed; set claim-strategy instead",
                        "line 13: source orders: setting lease has been renamed; set claim-lease instead",
                        "line 14: source orders: setting timeout has been renamed; set node-timeout instead",
                        "line 15: source orders: setting drain has been renamed; set drain-timeout instead",
                        "line 16: source orders: setting fetch-max has been renamed; set fetch-events-max instead",
                        "line 17: source orders: setting poll-max has been renamed; set poll-interval-max instead",
                        "line 18: source orders: setting done-rows has been renamed; set done-events instead",
                        "line 19: source orders: setting dead-key has been renamed; set on-dead-event (continue or pause-key) instead",
                        "line 24: destination archive: setting breaker-rest has been renamed; set breaker-open-time"
                                + " instead",
                        "line 25: destination archive: setting breaker-rest-max has been renamed; set"
                                + " breaker-open-time-max instead");
    }

    @Test
    void refusesWhatIsGivenTwice() {
        assertThat(errors(SMALL + "sources: {}\n", Map.of())).containsExactly("line 8: sources is given twice");
        assertThat(errors(SMALL.replace("  archive:\n", "  archive:\n    path: /a\n    path: /b\n"), Map.of()))
                .containsExactly("line 7: path is given twice");
        assertThat(errors(
                        SMALL.replace(
                                "mem:orders\n", "mem:orders\n    retention.chunk: 5\n    retention: { chunk: 6 }\n"),
                        Map.of()))
                .containsExactly("line 5: source orders: setting retention.chunk is given twice, first in line 4");
    }

    @Test
    void namesTheLineOfASettingWhicheverReaderFindsItWrong() {
        assertThat(errors("""
                        sources:
                          orders:
                            url: jdbc:h2:mem:orders
                        destinations:
                          rabbit:
                            kind: rabbitmq
                            host: localhost
                            tls: true
                            trust-store: /none.p12
                          api:
                            kind: http
                            base-url: https://example.com
                            allowed-networks: everywhere
                          other:
                            kind: http
                            base-url: https://example.com
                            header.a b: c
                        routes:
                          - name: a
                            to: [rabbit, api]
                            weight: many
                        """, Map.of()))
                .satisfiesExactly(
                        at(9, "destination rabbit: setting trust-store cannot be used"),
                        at(13, "destination api: setting allowed-networks "),
                        at(16, "destination other: setting base-url, token or header.* "),
                        at(21, "route a: setting weight must be a whole number"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sources: [a]                | line 1: sources must be a section with a name for each source",
                "routes: { a: b }            | line 1: routes must be a list, each entry beginning with -",
                "server: 8081                | line 1: server must be a section with settings, such as name: value",
                "'destinations: {a b: {}}'   | line 1: the name of a destination has letters, digits, - and _, at most 63",
                "'server: { liveness-port: 8081 }' | line 1: server: setting liveness-port must be another than port, was 8081",
                "'server: { port: [[1]] }'   | line 1: server: setting port must be a list of plain words without commas",
                "'server: { port: \"${PORT}\" }' | line 1: server: setting port refers to the environment variable PORT, which is",
                "just words                  | line 1: the file must consist of sections such as sources: and destinations:",
                "'{ server'                  | this is not YAML",
                "''                          | there are no sources; name a database below sources:",
            })
    void refusesWhatIsNoConfiguration(String text, String expected) {
        assertThat(errors(text, Map.of())).anySatisfy(error -> assertThat(error).contains(expected));
    }

    @Test
    void needsRoutesForSeveralDestinations() {
        String two = SMALL + "  other: { kind: http, base-url: 'https://example.com' }\n";

        assertThat(errors(two, Map.of())).singleElement().asString().contains("there are no routes, and with several");
        assertThat(errors(two + "routes: [{ name: a, match: { source: orders2* }, to: other }]\n", Map.of()))
                .containsExactly("line 9: source orders: no route takes its events");
    }

    @Test
    void refusesAPoolThatIsTooSmallForItsWorkers() {
        assertThat(errors(SMALL.replace("mem:orders\n", "mem:orders\n    pool-size: 4\n"), Map.of()))
                .containsExactly(
                        "line 4: source orders: setting pool-size must be a whole number from 13 to 1000, was \"4\"");
    }

    @Test
    void namesTheMissingFile() {
        assertThatThrownBy(() -> new ServerConfigReader().read(folder.resolve("none.yaml")))
                .isInstanceOf(WrongConfigException.class)
                .hasMessageContaining("none.yaml")
                .hasMessageContaining("--config FILE");
    }

    // ---- what a running server can follow ------------------------------------------------------------------------

    @Test
    void appliesOnlyRoutesDestinationsAndPauses() {
        ServerConfig before = read(SMALL, Map.of("HOSTNAME", "n"));

        assertThat(before.changesThatNeedARestart(read(
                        SMALL.replace("example.com", "example.org")
                                .replace("mem:orders\n", "mem:orders\n    paused: true\n"),
                        Map.of("HOSTNAME", "n"))))
                .isEmpty();
        assertThat(before.changesThatNeedARestart(read(
                        SMALL.replace("mem:orders", "mem:others") + "server: { port: 1 }\nlogging: { level: debug }\n",
                        Map.of("HOSTNAME", "m"))))
                .satisfiesExactly(
                        error -> assertThat(error).startsWith("server was changed"),
                        error -> assertThat(error).startsWith("logging was changed"),
                        error -> assertThat(error).startsWith("node.id was changed"),
                        error -> assertThat(error).startsWith("source orders was changed"));
        assertThat(before.changesThatNeedARestart(
                        read(SMALL.replace("  orders:", "  customers:"), Map.of("HOSTNAME", "n"))))
                .satisfiesExactly(
                        error -> assertThat(error).startsWith("source customers was added"),
                        error -> assertThat(error).startsWith("source orders was removed"));
    }

    private static org.assertj.core.api.ThrowingConsumer<String> at(int line, String text) {
        return error -> assertThat(error).startsWith("line " + line + ": ").contains(text);
    }

    private static String password(ServerConfig config) {
        return config.sources()
                .get("orders")
                .database()
                .login()
                .password()
                .orElseThrow()
                .reveal();
    }

    private static ServerConfig read(String text, Map<String, String> environment) {
        return new ServerConfigReader(environment::get).read("catbox.yaml", text);
    }

    private static List<String> errors(String text, Map<String, String> environment) {
        return catchThrowableOfType(WrongConfigException.class, () -> read(text, environment))
                .errors();
    }
}
