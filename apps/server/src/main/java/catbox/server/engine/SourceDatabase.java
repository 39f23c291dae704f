package catbox.server.engine;

import catbox.server.config.JdbcPlan;
import catbox.server.config.MongoPlan;
import catbox.server.config.SourcePlan;
import java.util.List;
import outbox.OutboxException;
import outbox.admin.AdminStores;
import outbox.spi.operations.Finding;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** The connections to a source's database and the stores that use them. */
public sealed interface SourceDatabase extends AutoCloseable permits JdbcSourceDatabase, MongoSourceDatabase {

    /**
     * Connects.
     *
     * @throws OutboxException that names the problem and its remedy
     */
    static SourceDatabase open(SourcePlan plan) {
        return switch (plan.database()) {
            case JdbcPlan jdbc -> JdbcSourceDatabase.open(plan, jdbc);
            case MongoPlan mongo -> MongoSourceDatabase.open(plan, mongo);
        };
    }

    /**
     * Checks the tables or collections, or installs them if the plan allows it.
     *
     * @throws outbox.SchemaException when they are missing or old, and the plan allows no change
     */
    void prepareTables();

    /**
     * Checks whether a relay could run with this plan, and changes nothing.
     *
     * @throws outbox.SchemaException when something is missing or of another version
     * @throws outbox.LayoutMismatchException when other relays of the events have another layout
     */
    void check();

    RelayStores stores();

    /** Notifies the relay of commits, if the database can. */
    WakeUpChannel wakeUpChannel();

    /** The stores of operators' tools, statistics and retention. */
    AdminStores adminStores();

    /** The findings about this process's connections to it. */
    List<Finding> findings();

    /**
     * Checks that the database answers.
     *
     * @throws OutboxException that names the problem
     */
    void probe(int seconds);

    @Override
    void close();
}
