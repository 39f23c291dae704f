package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.relay.ClusterRead;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.spi.relay.ClusterView;

/** H2 usually runs in the same process, where no connection falls silent alone. */
record H2Sessions() implements Sessions {

    private static final ReentrantLock MIGRATIONS = new ReentrantLock();

    /** It has no such locks: the time-out decides alone. */
    @Override
    public @Nullable ConnectionLock connectionLock() {
        return null;
    }

    /** Without a limit, which would stay with the connection. */
    @Override
    public Optional<ClusterView> heartbeat(Connection conn, ClusterRead read) {
        return read.inTwoStatements(conn, statement -> {});
    }

    @Override
    public void limitSilence(Connection conn, Duration statementMax) {}

    @Override
    public void unlimitSilence(Connection conn) {}

    /** Altering one table twice at the same time confuses the database. */
    @Override
    public void lockMigrations(Connection conn, String table) {
        MIGRATIONS.lock();
    }

    @Override
    public void unlockMigrations(Connection conn, String table) {
        MIGRATIONS.unlock();
    }
}
