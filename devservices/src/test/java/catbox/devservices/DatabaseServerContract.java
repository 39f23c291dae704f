package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Checks the promises of every server. Each kind inherits these tests, and uses a separate server, because they break
 * it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
abstract class DatabaseServerContract {

    DatabaseServer server;

    abstract DatabaseServer startServer();

    /** Returns a query that gives 1 if commits wait for the disk, and another number if not. */
    abstract String durableQuery();

    @BeforeAll
    void startOwnServer() {
        server = startServer();
    }

    @AfterAll
    void closeOwnServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void answersQueriesOnceStarted() throws Exception {
        assertThat(sql(server.jdbcUrl()).number("select 40 + 2")).isEqualTo(42);
    }

    @Test
    void waitsForTheDiskAtEachCommit() throws Exception {
        assertThat(sql(server.jdbcUrl()).number(durableQuery())).isEqualTo(1);
    }

    @Test
    void createsDatabasesThatDoNotShareTables() throws Exception {
        String first = server.createDatabase("first_of_two");
        String second = server.createDatabase("second_of_two");
        sql(first).execute("create table notes (id int primary key)", "insert into notes values (1)");
        sql(second).execute("create table notes (id int primary key)");

        assertThat(first).isEqualTo(server.jdbcUrl("first_of_two"));
        assertThat(sql(first).number("select count(*) from notes")).isEqualTo(1);
        assertThat(sql(second).number("select count(*) from notes")).isZero();
    }

    @Test
    void refusesToCreateADatabaseTwice() {
        server.createDatabase("only_once");

        assertThatThrownBy(() -> server.createDatabase("only_once"))
                .isInstanceOf(DevServerException.class)
                .hasMessageContaining("only_once");
    }

    @Test
    void refusesDatabaseNamesThatWouldNeedQuoting() {
        assertThatThrownBy(() -> server.createDatabase("no\"quotes`please"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no\"quotes`please");
    }

    @Test
    void keepsCommittedRowsAndItsPortThroughKillAndRestart() throws Exception {
        String database = server.createDatabase("killed");
        int port = server.port();
        sql(database).execute("create table notes (id int primary key)");
        try (Connection open = sql(database).connect();
                Statement statement = open.createStatement()) {
            statement.execute("insert into notes values (1)");
            open.setAutoCommit(false);
            statement.execute("insert into notes values (2)");
            server.kill();
            assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
        } catch (SQLException closingADeadConnection) {
            // Some drivers fail when a connection to a killed server is closed; the server is the subject here.
        }

        server.start();

        assertThat(server.port()).isEqualTo(port);
        assertThat(sql(database).number("select sum(id) from notes")).isEqualTo(1);
    }

    @Test
    void restartsAfterManyKillsInARow() throws Exception {
        String database = server.createDatabase("killed_often");
        sql(database).execute("create table notes (id int primary key)");
        for (int round = 1; round <= 3; round++) {
            sql(database).execute("insert into notes values (" + round + ")");
            server.kill();
            server.start();
        }

        assertThat(sql(database).number("select count(*) from notes")).isEqualTo(3);
    }

    @Test
    void keepsCommittedRowsThroughStopAndStart() throws Exception {
        String database = server.createDatabase("stopped");
        sql(database).execute("create table notes (id int primary key)", "insert into notes values (7)");

        server.stop();
        assertThatThrownBy(() -> sql(database).connect()).isInstanceOf(SQLException.class);
        server.start();

        assertThat(sql(database).number("select id from notes")).isEqualTo(7);
    }

    @Test
    void answersNoRequestWhilePausedAndContinuesWhenResumed() throws Exception {
        try (Connection early = sql(server.jdbcUrl()).connect()) {
            server.pause();
            // Each client has a separate thread, because the common pool of a small machine has only one.
            CompletableFuture<Long> oldClient =
                    CompletableFuture.supplyAsync(() -> answer(early), Thread::startVirtualThread);
            CompletableFuture<Long> newClient =
                    CompletableFuture.supplyAsync(() -> answer(sql(server.jdbcUrl())), Thread::startVirtualThread);

            assertThatThrownBy(() -> oldClient.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThatThrownBy(() -> newClient.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            server.resume();

            assertThat(oldClient.get(20, TimeUnit.SECONDS)).isEqualTo(42);
            assertThat(newClient.get(20, TimeUnit.SECONDS)).isEqualTo(42);
        }
    }

    @Test
    void canBeKilledAndStoppedWhilePaused() throws Exception {
        server.pause();
        server.kill();
        server.start();
        server.pause();
        server.stop();
        server.start();

        assertThat(sql(server.jdbcUrl()).number("select 40 + 2")).isEqualTo(42);
    }

    @Test
    void refusesToStartWhileRunningAndToPauseWhileDown() {
        assertThatThrownBy(server::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is running already");
        server.stop();
        assertThatThrownBy(server::pause)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is not running");
        server.start();
    }

    Sql sql(String url) {
        return new Sql(server, url);
    }

    private static long answer(Connection connection) {
        try {
            return Sql.number(connection, "select 40 + 2");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long answer(Sql newClient) {
        try {
            return newClient.number("select 40 + 2");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
