package catbox.chaos;

import java.util.List;
import java.util.OptionalLong;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** The database under a run, as its three kinds of processes use it: the parent, the relays and the writers. */
interface Database extends AutoCloseable {

    /** Whatever the address is one of. */
    static Database open(String address, int connections) {
        return address.startsWith("mongodb:")
                ? new MongoReplicaSet(address)
                : new PostgresDatabase(address, connections);
    }

    // ---- the parent ------------------------------------------------------------------------------------------------

    /** What the outbox needs, and a counter for each key that serialises who writes to it. */
    void install(List<String> keys);

    ClusterAdmin admin();

    /** Everything that was committed, whoever knows of it. */
    List<History.Committed> committed();

    /** Whether no event is pending; false while the database cannot be reached. */
    boolean isDrained();

    boolean hasPartitions(int number);

    /** A number that rises when something is committed; empty while the database cannot be reached. */
    OptionalLong progress();

    /** Who waits for whom, for people who want to know why nothing goes on. */
    String describeSessions();

    // ---- the relays ------------------------------------------------------------------------------------------------

    RelayStores stores();

    WakeUpChannel channel();

    // ---- the writers -----------------------------------------------------------------------------------------------

    /** For all threads of a writer. One that wakes tells the relays of its commits, if they do not hear of them anyway. */
    KeyedTransactions transactions(boolean wakes);

    @Override
    void close();
}
