package catbox.devservices;

/**
 * One server of each kind for the whole JVM, started on first use and closed when the JVM exits.
 *
 * <p>Do not close a shared server, and kill or pause one only if nothing else uses it. A test that breaks its server
 * starts a separate one, such as {@link PostgresServer#start()}.
 */
public final class DevServices {

    private static final SharedServer<DatabaseServer> POSTGRES = new SharedServer<>(PostgresServer::start);
    private static final SharedServer<DatabaseServer> MARIADB = new SharedServer<>(MariaDbServer::start);
    private static final SharedServer<DatabaseServer> MYSQL = new SharedServer<>(MySqlServer::start);
    private static final SharedServer<KafkaBroker> KAFKA = new SharedServer<>(KafkaServer::start);
    private static final SharedServer<RabbitMqBroker> RABBITMQ = new SharedServer<>(RabbitMqServer::start);
    private static final SharedServer<MongoDb> MONGODB = new SharedServer<>(MongoDbServer::start);

    private DevServices() {}

    /** Returns the shared PostgreSQL server. */
    public static DatabaseServer postgres() {
        return POSTGRES.get();
    }

    /** Returns the shared MariaDB server. */
    public static DatabaseServer mariaDb() {
        return MARIADB.get();
    }

    /**
     * Returns the shared MySQL server. Check {@link MySqlServer#unavailableReason()} first, because it is not available
     * everywhere.
     *
     * @throws DevServerException with the reason if it is not available
     */
    public static DatabaseServer mySql() {
        return MYSQL.get();
    }

    /** Returns the shared Kafka server, which needs no login. Use separate topics. */
    public static KafkaBroker kafka() {
        return KAFKA.get();
    }

    /**
     * Returns the shared RabbitMQ server. Check {@link RabbitMqServer#unavailableReason()} first, because it is not
     * available everywhere.
     *
     * @throws DevServerException with the reason if it is not available
     */
    public static RabbitMqBroker rabbitMq() {
        return RABBITMQ.get();
    }

    /**
     * Returns the connection string of the shared MongoDB replica set of one member, or of the one that the environment
     * names. Check {@link MongoDbServer#unavailableReason()} first if it names none, because MongoDB is not available
     * everywhere. Use a separate database.
     *
     * @throws DevServerException with the reason if it is not available
     */
    public static String mongoDbUri() {
        return MongoDbServer.givenUri().orElseGet(() -> MONGODB.get().uri());
    }
}
