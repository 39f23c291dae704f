package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.LayoutMismatchException;
import outbox.Outbox;
import outbox.OutboxClient;
import outbox.SchemaException;
import outbox.jdbc.internal.operations.JdbcOperatorStore;
import outbox.jdbc.internal.schema.Migration;
import outbox.testkit.World;

/** Installing, checking and printing the schema, on every database. */
abstract class SchemaContract {

    private TestDatabase database;
    private SchemaInstaller installer;

    abstract TestDatabase openDatabase();

    abstract Database kind();

    @BeforeEach
    void open() {
        database = openDatabase();
        installer = new SchemaInstaller(database.connections());
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    @Test
    void installsOnce() {
        assertThat(installer.install()).isEqualTo(versionsFrom(1));
        assertThat(installer.install()).isEmpty();
        installer.check();
    }

    @Test
    void installsOnceWhenSeveralInstancesStartTogether() throws Exception {
        try (ExecutorService instances = Executors.newFixedThreadPool(4)) {
            List<Future<List<Integer>>> installs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                installs.add(instances.submit(() -> new SchemaInstaller(database.connections()).install()));
            }
            for (Future<List<Integer>> install : installs) {
                install.get();
            }
        }
        installer.check();
    }

    @Test
    void takesOverALiveTableOfVersionOne() throws Exception {
        installUpTo(1);
        database.execute("UPDATE outbox_meta SET claim_strategy = 'dispatcher'");
        String before = publish("Before");

        assertThat(installer.install()).isEqualTo(versionsFrom(2));
        assertThat(installer.install()).isEmpty();
        start().close(); // Worked as it was before.
        assertThat(new JdbcOperatorStore(
                                database.connections(), TableNames.DEFAULT, JdbcOperatorStore.ROWS_PER_STATEMENT)
                        .find(before))
                .isPresent();
    }

    @Test
    void finishesAMigrationThatBrokeOff() {
        installer.install();
        database.execute("UPDATE outbox_meta SET schema_version = 1");
        assertThat(installer.install()).isEqualTo(versionsFrom(2));
        installer.check();
    }

    @Test
    void refusesToStartWithoutTables() {
        assertThatThrownBy(this::start)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("outbox_meta does not exist")
                .hasMessageContaining(".install()");
        assertThatThrownBy(installer::check).isInstanceOf(SchemaException.class);
    }

    @Test
    void refusesToStartWhenOnlyTheEventTableIsMissing() {
        installer.install();
        database.execute("DROP TABLE outbox_event");
        assertThatThrownBy(this::start)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("outbox_event does not exist");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void refusesATableOfAnOlderVersion(int version) {
        installer.install();
        database.execute("UPDATE outbox_meta SET schema_version = " + version);
        assertThatThrownBy(this::start)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("is of version " + version + ", and this library needs " + Migration.LATEST)
                .hasMessageContaining(".install()");
    }

    @Test
    void refusesATableOfANewerVersion() {
        installer.install();
        database.execute("UPDATE outbox_meta SET schema_version = 99");
        assertThatThrownBy(this::start)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("version 99, newer than the " + Migration.LATEST)
                .hasMessageContaining("newer library");
    }

    @Test
    void refusesADispatcherWhereRelaysWorkUntilTheTableIsGivenToIt() {
        installer.install();
        database.execute("UPDATE outbox_meta SET claim_strategy = 'partitioned'");
        assertThatThrownBy(this::start)
                .isInstanceOf(LayoutMismatchException.class)
                .hasMessageContaining("used with claim strategy partitioned, and this instance is a dispatcher")
                .hasMessageContaining("SchemaInstaller.changeToDispatchers()");
        installer.changeToDispatchers();
        start().close();
    }

    @Test
    void freesATableThatDispatchersWorkedInOrder() throws Exception {
        installUpTo(6);
        database.execute("UPDATE outbox_meta SET claim_strategy = 'dispatcher-ordered'");
        String before = publish("Before");
        database.execute("UPDATE outbox_event SET held_key_hash = key_hash");

        assertThat(installer.install()).isEqualTo(versionsFrom(7));

        start().close();
        String after = publish("After");
        JdbcOperatorStore operator =
                new JdbcOperatorStore(database.connections(), TableNames.DEFAULT, JdbcOperatorStore.ROWS_PER_STATEMENT);
        assertThat(operator.find(before)).isPresent();
        assertThat(operator.find(after)).isPresent();
        assertThatThrownBy(() -> database.execute("SELECT held_key_hash FROM outbox_event"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void writersGoOnWhileVersionSevenIsApplied() throws Exception {
        assumeFalse(kind() == Database.H2, "it copies the table");
        installUpTo(6);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        try (ExecutorService writers = Executors.newFixedThreadPool(3)) {
            List<Future<?>> writing = new ArrayList<>();
            for (int writer = 0; writer < 3; writer++) {
                writing.add(writers.submit(() -> {
                    while (!ended.get()) {
                        publish("Meanwhile");
                        written.incrementAndGet();
                    }
                    return null;
                }));
            }
            try {
                World.await("they write", () -> written.get() > 50);
                installer.install();
                int then = written.get();
                World.await("they still write", () -> written.get() > then + 50);
            } finally {
                ended.set(true);
            }
            for (Future<?> one : writing) {
                one.get();
            }
        }
    }

    private void installUpTo(int version) {
        for (Migration migration : Migration.ALL.subList(0, version)) {
            migration.statements(kind().folder, TableNames.DEFAULT).forEach(database::execute);
        }
        database.execute("UPDATE outbox_meta SET schema_version = " + version);
    }

    private String publish(String type) throws SQLException {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        EventEnvelope event = EventEnvelope.ofJson(type, "{}");
        new JdbcTransactionManager(database.connections(), context).run(conn -> client.publish(event));
        return event.eventId();
    }

    @Test
    void whatIsPrintedIsWhatIsInstalled() {
        for (String statement : SchemaInstaller.print(kind(), TableNames.DEFAULT)
                .replaceAll("(?m)^\\s*--.*\\R", "")
                .split(";\\s*\\R", -1)) {
            if (!statement.isBlank()) {
                database.execute(statement);
            }
        }
        installer.check();
        assertThat(installer.install()).isEmpty();
        assertThat(installer.print()).isEqualTo(SchemaInstaller.print(kind(), TableNames.DEFAULT));
    }

    @Test
    void theTableNameIsASetting() throws Exception {
        TableNames tables = new TableNames("billing_outbox_events");
        new SchemaInstaller(database.connections(), tables).install();
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        try (Outbox outbox =
                JdbcOutbox.builder(database.connections(), context, tables).build()) {
            String id = EventEnvelope.ofJson("A", "{}").eventId();
            new JdbcTransactionManager(database.connections(), context)
                    .run(conn -> outbox.publish(EventEnvelope.builder("A")
                            .eventId(id)
                            .payloadJson("{}")
                            .build()));
            assertThat(new JdbcOperatorStore(database.connections(), tables, JdbcOperatorStore.ROWS_PER_STATEMENT)
                            .find(id))
                    .isPresent();
        }
        assertThat(tables.meta()).isEqualTo("billing_outbox_events_meta");
    }

    private Outbox start() {
        return JdbcOutbox.builder(database.dataSource(), new ThreadLocalTxContext())
                .build();
    }

    private static List<Integer> versionsFrom(int first) {
        return IntStream.rangeClosed(first, Migration.LATEST).boxed().toList();
    }
}
