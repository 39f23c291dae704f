package outbox.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import outbox.Ordering;

/**
 * The properties of the outbox. What the relay, destinations and routes have is passed on as text to the one place that
 * reads it for every application, {@code outbox.relay.config}.
 *
 * @param enabled Whether there is an outbox at all.
 * @param delivery Who delivers what is published here.
 * @param store Where events are stored; to be set where the application has both.
 * @param schema What to do about the outbox's tables or collections at start.
 * @param table Name of the event table, with a schema before a dot if need be, or of the collection; the others' names
 *     follow from it.
 * @param dataSource Bean name of the DataSource that has the tables; default is the only or the primary one.
 * @param mongoDatabase Database that has the collections; default is that of the MongoDatabaseFactory.
 * @param ordering Which order the dispatcher keeps; a relay keeps the order of every key.
 * @param giveUpAfter Age from which an event that cannot be delivered is dead, even in an outage of its destination;
 *     default is never.
 * @param nodeId Name of this instance in the relay's cluster, for people; default is the host's name.
 * @param wakeUp Whether commits wake a relay in another process; on PostgreSQL and MongoDB.
 * @param dispatcher Settings of the dispatcher.
 * @param retention How long done events are kept, and when old ones are removed.
 * @param relay Settings of the relay.
 * @param destinations Where events go, by name; each has a kind and the settings of its kind.
 * @param routes Which events go where; the first route that matches is taken.
 */
@ConfigurationProperties(prefix = "outbox", ignoreUnknownFields = false)
public record OutboxProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("dispatcher") DeliveryMode delivery,
        @Nullable Store store,
        @DefaultValue("check") SchemaMode schema,
        @DefaultValue("outbox_event") String table,
        @Nullable String dataSource,
        @Nullable String mongoDatabase,
        @Nullable Ordering ordering,
        @Nullable Duration giveUpAfter,
        @Nullable String nodeId,
        @DefaultValue("auto") WakeUpMode wakeUp,
        @DefaultValue @NestedConfigurationProperty DispatcherProperties dispatcher,
        @DefaultValue Map<String, String> retention,
        @DefaultValue Map<String, String> relay,
        @DefaultValue Map<String, Map<String, String>> destinations,
        @DefaultValue List<Map<String, String>> routes) {

    /** Who delivers what is published here. */
    public enum DeliveryMode {
        /** This application, by its listeners and destinations, in memory right after commit. */
        DISPATCHER,
        /** A relay in this application, which keeps the order of keys, as a cluster with its other instances. */
        RELAY,
        /** Somebody else, such as a catbox server on the same database. */
        NONE
    }

    /** Where events are stored. */
    public enum Store {
        /** In tables of a DataSource. */
        JDBC,
        /** In collections, in transactions of a MongoTransactionManager. */
        MONGODB
    }

    /** What to do about the tables or collections at start. */
    public enum SchemaMode {
        /** Refuse to start when they are missing or of another version. */
        CHECK,
        /** Make them, or bring them up to date. */
        INSTALL,
        /** Nothing. */
        NONE
    }

    /** Whether commits wake a relay in another process. */
    public enum WakeUpMode {
        /** Where the database has a way, which are PostgreSQL and MongoDB. */
        AUTO,
        /** Yes, or the application does not start. */
        ON,
        /** No: relays elsewhere find events by polling. */
        OFF
    }
}
