package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.relay.ClusterRead;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.spi.relay.ClusterView;

/** What a database does for one connection: locks that end with it, and limits of its silence. */
public interface Sessions {

    /** How this database shows that a connection has ended; null when it does not. */
    @Nullable
    ConnectionLock connectionLock();

    /** Writes a heartbeat and reads the cluster as it then is; empty when the session has ended. */
    Optional<ClusterView> heartbeat(Connection conn, ClusterRead read);

    /**
     * Lets the database end this transaction when it is silent for two seconds, and each of its statements after a while,
     * where it can.
     */
    void limitSilence(Connection conn, Duration statementMax);

    /** Ends that limit, so that the connection is as it was. */
    void unlimitSilence(Connection conn);

    /** Waits until no other migration is running, in this transaction. */
    void lockMigrations(Connection conn, String table);

    void unlockMigrations(Connection conn, String table);
}
