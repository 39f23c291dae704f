package catbox.devservices;

/**
 * One server of each kind for the whole JVM, started when it is first asked for and closed when the JVM exits.
 *
 * <p>Do not close a shared server, and kill or pause one only where nothing else uses it: a test that breaks its server
 * takes one of its own, as {@link PostgresServer#start()} gives.
 */
public final class DevServices {

    private static final SharedServer POSTGRES = new SharedServer(PostgresServer::start);
    private static final SharedServer MARIADB = new SharedServer(MariaDbServer::start);
    private static final SharedServer MYSQL = new SharedServer(MySqlServer::start);

    private DevServices() {}

    /** The shared PostgreSQL server. */
    public static DevServer postgres() {
        return POSTGRES.get();
    }

    /** The shared MariaDB server. */
    public static DevServer mariaDb() {
        return MARIADB.get();
    }

    /**
     * The shared MySQL server. Ask {@link MySqlServer#unavailableReason()} first: it cannot be had everywhere.
     *
     * @throws DevServerException if it cannot be had, with the reason
     */
    public static DevServer mySql() {
        return MYSQL.get();
    }
}
