package catbox.devservices;

/**
 * One server of each kind for the whole JVM, started when it is first asked for and closed when the JVM exits.
 *
 * <p>Do not close a shared server, and kill or pause one only where nothing else uses it: a test that breaks its server
 * takes one of its own, as {@link PostgresServer#start()} gives.
 */
public final class DevServices {

    private static final SharedServer<DatabaseServer> POSTGRES = new SharedServer<>(PostgresServer::start);
    private static final SharedServer<DatabaseServer> MARIADB = new SharedServer<>(MariaDbServer::start);
    private static final SharedServer<DatabaseServer> MYSQL = new SharedServer<>(MySqlServer::start);
    private static final SharedServer<KafkaBroker> KAFKA = new SharedServer<>(KafkaServer::start);
    private static final SharedServer<RabbitMqBroker> RABBITMQ = new SharedServer<>(RabbitMqServer::start);
    private static final SharedServer<MongoDb> MONGODB = new SharedServer<>(MongoDbServer::start);

    private DevServices() {}

    /** The shared PostgreSQL server. */
    public static DatabaseServer postgres() {
        return POSTGRES.get();
    }

    /** The shared MariaDB server. */
    public static DatabaseServer mariaDb() {
        return MARIADB.get();
    }

    /**
     * The shared MySQL server. Ask {@link MySqlServer#unavailableReason()} first: it cannot be had everywhere.
     *
     * @throws DevServerException if it cannot be had, with the reason
     */
    public static DatabaseServer mySql() {
        return MYSQL.get();
    }

    /** The shared Kafka server, which lets everybody in. Use topics of your own. */
    public static KafkaBroker kafka() {
        return KAFKA.get();
    }

    /**
     * The shared RabbitMQ server. Ask {@link RabbitMqServer#unavailableReason()} first: it cannot be had everywhere.
     *
     * @throws DevServerException if it cannot be had, with the reason
     */
    public static RabbitMqBroker rabbitMq() {
        return RABBITMQ.get();
    }

    /**
     * The connection string of the shared MongoDB replica set of one member, or of the one that the environment names.
     * Ask {@link MongoDbServer#unavailableReason()} first if it names none: MongoDB cannot be had everywhere. Use a
     * database of your own.
     *
     * @throws DevServerException if it cannot be had, with the reason
     */
    public static String mongoDbUri() {
        return MongoDbServer.givenUri().orElseGet(() -> MONGODB.get().uri());
    }
}
