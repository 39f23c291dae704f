package catbox.chaos;

import java.util.List;
import java.util.OptionalLong;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** The database under a run, as the parent, the relays and the writers use it. */
interface Database extends AutoCloseable {

    /** Opens the database at an address of any kind. */
    static Database open(String address, int connections) {
        return address.startsWith("mongodb:")
                ? new MongoReplicaSet(address)
                : new PostgresDatabase(address, connections);
    }

    // ---- the parent ------------------------------------------------------------------------------------------------

    /** Creates the outbox, and a counter for each key that serialises the writers of the key. */
    void install(List<String> keys);

    ClusterAdmin admin();

    /** Returns every committed event, whether its writer knows about the commit or not. */
    List<History.Committed> committed();

    /** Returns whether no event is pending; false while the database is unreachable. */
    boolean isDrained();

    boolean hasPartitions(int number);

    /** Returns a number that rises with every commit; empty while the database is unreachable. */
    OptionalLong progress();

    /** Describes which sessions wait for which, to explain why nothing progresses. */
    String describeSessions();

    // ---- the relays ------------------------------------------------------------------------------------------------

    RelayStores stores();

    WakeUpChannel channel();

    // ---- the writers -----------------------------------------------------------------------------------------------

    /**
     * Returns the transactions for all threads of a writer. If {@code wakes} is set, they notify the relays of commits
     * that the database would not report.
     */
    KeyedTransactions transactions(boolean wakes);

    @Override
    void close();
}
