package catbox.server.engine;

import catbox.server.config.JdbcPlan;
import catbox.server.config.MongoPlan;
import catbox.server.config.SourcePlan;
import java.util.List;
import outbox.OutboxException;
import outbox.admin.AdminStores;
import outbox.spi.RetentionStore;
import outbox.spi.operations.Finding;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** The connections to a source's database, and the stores on them. */
public sealed interface SourceDatabase extends AutoCloseable permits JdbcSourceDatabase, MongoSourceDatabase {

    /**
     * Connects.
     *
     * @throws OutboxException that says what is wrong and what to do about it
     */
    static SourceDatabase open(SourcePlan plan) {
        return switch (plan.database()) {
            case JdbcPlan jdbc -> JdbcSourceDatabase.open(plan, jdbc);
            case MongoPlan mongo -> MongoSourceDatabase.open(plan, mongo);
        };
    }

    /**
     * Sees to it that tables or collections are as they have to be.
     *
     * @throws outbox.SchemaException when they are not, and the plan says to leave them alone
     */
    void prepareTables();

    /**
     * Looks whether a relay with this plan could work here, and changes nothing.
     *
     * @throws outbox.SchemaException when something is missing or of another version
     * @throws outbox.LayoutMismatchException when the events are worked on other terms
     */
    void check();

    RelayStores stores();

    /** By which the relay learns of commits, of a database that tells of them. */
    WakeUpChannel wakeUpChannel();

    RetentionStore retentionStore();

    StatisticsStore statisticsStore();

    /** The stores that operators' tools need. */
    AdminStores adminStores();

    /** What is wrong with the connections of this process to it. */
    List<Finding> findings();

    /**
     * Asks the database for a sign of life.
     *
     * @throws OutboxException that says what is wrong
     */
    void probe(int seconds);

    @Override
    void close();
}
