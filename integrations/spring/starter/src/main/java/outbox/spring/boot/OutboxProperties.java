package outbox.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the outbox. Settings of the relay, destinations and routes stay text here, because {@code
 * outbox.relay.config} reads them for every kind of application.
 *
 * @param enabled Whether to configure an outbox at all.
 * @param delivery Which engine delivers events that are published here.
 * @param store Where events are stored; set it if the application has both.
 * @param schema What to do about the outbox's tables or collections at start.
 * @param table Name of the event table, with a schema before a dot if needed, or of the collection; the names of the
 * others are derived from it.
 * @param dataSource Bean name of the DataSource that has the tables; default is the only or the primary one.
 * @param mongoDatabase Database that has the collections; default is that of the MongoDatabaseFactory.
 * @param ordering Fails at start: a relay keeps the order of keys, and the dispatcher keeps none.
 * @param giveUpAfter Age from which an event that cannot be delivered is dead, even in an outage of its destination;
 * default is never.
 * @param nodeId Name of this instance in the relay's cluster, for operators; default is the host's name.
 * @param wakeUp Whether commits wake a relay in another process; on PostgreSQL and MongoDB.
 * @param dispatcher Settings of the dispatcher.
 * @param retention How long done events are kept, and when old ones are removed.
 * @param relay Settings of the relay.
 * @param destinations Destinations by name; each has a kind and the settings of its kind.
 * @param routes Rules that choose the destinations of an event; the first route that matches is taken.
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
        @Nullable String ordering,
        @Nullable Duration giveUpAfter,
        @Nullable String nodeId,
        @DefaultValue("auto") WakeUpMode wakeUp,
        @DefaultValue @NestedConfigurationProperty DispatcherProperties dispatcher,
        @DefaultValue Map<String, String> retention,
        @DefaultValue Map<String, String> relay,
        @DefaultValue Map<String, Map<String, String>> destinations,
        @DefaultValue List<Map<String, String>> routes) {

    /** Refuses {@code outbox.ordering}, which the dispatcher had in earlier versions. */
    public OutboxProperties {
        if (ordering != null) {
            throw new InvalidOutboxPropertiesException(
                    "outbox.ordering no longer exists, because the dispatcher delivers"
                            + " without order: set outbox.delivery=relay to have the order of every key kept, or remove"
                            + " outbox.ordering");
        }
    }

    /** Selects which engine delivers events that are published here. */
    public enum DeliveryMode {
        /** The dispatcher in this application delivers to listeners and destinations, in memory right after commit. */
        DISPATCHER,
        /** A relay in this application delivers, as a cluster with the other instances, and keeps the order of keys. */
        RELAY,
        /** Another process delivers, such as a catbox server on the same database. */
        NONE
    }

    /** Selects where events are stored. */
    public enum Store {
        /** In tables of a DataSource. */
        JDBC,
        /** In collections, in transactions of a MongoTransactionManager. */
        MONGODB
    }

    /** Selects what to do about the tables or collections at start. */
    public enum SchemaMode {
        /** Fail at start when they are missing or of another version. */
        CHECK,
        /** Create them, or bring them up to date. */
        INSTALL,
        /** Do nothing. */
        NONE
    }

    /** Selects whether commits wake a relay in another process. */
    public enum WakeUpMode {
        /** Wake it if the database supports that, as PostgreSQL and MongoDB do. */
        AUTO,
        /** Wake it, and fail at start if the database does not support that. */
        ON,
        /** Do not wake it: relays in other processes find events by polling. */
        OFF
    }
}
