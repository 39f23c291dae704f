package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.core.BaseConnection;
import outbox.OutboxException;
import outbox.spi.ConnectionProvider;
import outbox.spi.relay.WakeUp;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PostgresWakeUpChannelIT {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final int CALLS = 200;

    private TestDatabase database;
    private PostgresWakeUpChannel sender;
    private PostgresWakeUpChannel receiver;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        sender = new PostgresWakeUpChannel(database.connections());
        receiver = new PostgresWakeUpChannel(database.connections());
    }

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
        database.close();
    }

    @Test
    void beginsWithAnyBecauseNobodyListenedBefore() throws InterruptedException {
        assertThat(receiver.receive(LONG)).containsExactly(WakeUp.ANY);
        assertThat(receiver.receive(SHORT)).isEmpty();
    }

    @Test
    void carriesAFewLanesAndTellsOfManyAsAny() throws InterruptedException {
        receiver.receive(LONG);
        WakeUp few = new WakeUp(Set.of(1, 2, Integer.MAX_VALUE));
        sender.send(few);
        sender.send(new WakeUp(IntStream.range(0, 17).boxed().collect(Collectors.toSet())));
        sender.send(WakeUp.ANY);

        List<WakeUp> received = new ArrayList<>();
        while (received.size() < 3) {
            received.addAll(receiver.receive(LONG));
        }
        assertThat(received).containsExactly(few, WakeUp.ANY, WakeUp.ANY);
    }

    /** Several applications that publish all the time are no reason to wait until all of them pause. */
    @Test
    void receivesWhileOthersKeepSending() throws InterruptedException {
        receiver.receive(LONG);
        AtomicBoolean busy = new AtomicBoolean(true);
        List<Thread> senders = Stream.generate(() -> Thread.ofPlatform().start(() -> sendWhile(busy)))
                .limit(3)
                .toList();
        int wakeUps = 0;
        try {
            for (int call = 0; call < CALLS; call++) {
                wakeUps += receiver.receive(LONG).size();
            }
        } finally {
            busy.set(false);
        }
        for (Thread each : senders) {
            each.join();
        }
        assertThat(wakeUps / CALLS).as("gathered by a call").isLessThan(100);
    }

    private void sendWhile(AtomicBoolean busy) {
        try (PostgresWakeUpChannel own = new PostgresWakeUpChannel(database.connections())) {
            while (busy.get()) {
                own.send(WakeUp.ANY);
            }
        }
    }

    /** Another driver, or a wrapper of this one, may not let anybody near its stream. */
    @Test
    void listensWhereTheDriverKeepsToItself() throws InterruptedException {
        ConnectionProvider guarded = () -> guarded(database.connections().getConnection());
        try (PostgresWakeUpChannel careful = new PostgresWakeUpChannel(guarded)) {
            assertThat(careful.receive(LONG)).containsExactly(WakeUp.ANY);
            sender.send(new WakeUp(Set.of(7)));
            assertThat(careful.receive(LONG)).containsExactly(new WakeUp(Set.of(7)));
        }
    }

    private static Connection guarded(Connection conn) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    if ("unwrap".equals(method.getName()) && BaseConnection.class.equals(args[0])) {
                        throw new SQLException("no BaseConnection here");
                    }
                    return method.invoke(conn, args);
                });
    }

    @Test
    void takesWhatItCannotReadForAny() throws InterruptedException {
        receiver.receive(LONG);
        database.execute("SELECT pg_notify('catbox_outbox_event', 'no number')");
        assertThat(receiver.receive(LONG)).containsExactly(WakeUp.ANY);
    }

    @Test
    void keepsTheTablesOfADatabaseApart() throws InterruptedException {
        TableNames other = new TableNames("billing.outbox_event");
        try (PostgresWakeUpChannel elsewhere = new PostgresWakeUpChannel(database.connections(), other)) {
            receiver.receive(LONG);
            elsewhere.send(WakeUp.ANY);
            assertThat(receiver.receive(SHORT)).isEmpty();
        }
        String longest = "s".repeat(63) + "." + "t".repeat(48);
        assertThat(PostgresWakeUpChannel.channelOf(new TableNames(longest))).hasSizeLessThan(63);
    }

    @Test
    void reportsABrokenConnectionOnceAndConnectsAnew() throws InterruptedException {
        receiver.receive(LONG);
        sender.send(WakeUp.ANY);
        receiver.receive(LONG);
        database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE pid <> pg_backend_pid() AND datname = current_database()");

        assertThatThrownBy(() -> receiver.receive(LONG)).isInstanceOf(OutboxException.class);
        assertThat(receiver.receive(LONG)).containsExactly(WakeUp.ANY);
        assertThatThrownBy(() -> sender.send(WakeUp.ANY)).isInstanceOf(OutboxException.class);
        WakeUp wakeUp = new WakeUp(Set.of(7));
        sender.send(wakeUp);
        assertThat(receiver.receive(LONG)).containsExactly(wakeUp);
    }

    @Test
    void endsWaitingWhenItIsClosed() throws Exception {
        receiver.receive(LONG);
        CompletableFuture<List<WakeUp>> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return receiver.receive(LONG);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        receiver.close();
        // Closed before or while it waits: either way it ends.
        assertThat(waiting.handle((received, failure) ->
                                failure == null || failure.getCause() instanceof IllegalStateException)
                        .get(10, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void anInterruptEndsWaiting() throws InterruptedException {
        receiver.receive(LONG);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> receiver.receive(LONG)).isInstanceOf(InterruptedException.class);
    }
}
