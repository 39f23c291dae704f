package catbox.devservices;

/**
 * A real database server that runs as a child process, on 127.0.0.1, until it is closed or this JVM ends.
 *
 * <p>A server comes started. It keeps its port and its data through any number of {@link #stop}, {@link #kill} and
 * {@link #start}. All methods may be called from any thread.
 */
public interface DevServer extends AutoCloseable {

    /** The JDBC URL of a database that is there from the start. */
    String jdbcUrl();

    /** The JDBC URL of the database of this name; parameters may be appended after a {@code ?}. */
    String jdbcUrl(String database);

    /** The name of the superuser. */
    String user();

    /** The password of the superuser; empty, because nobody else can reach the server. */
    String password();

    /** The port on 127.0.0.1; it stays the same through restarts. */
    int port();

    /**
     * Creates a new, empty database, so that each test class can have one of its own, and returns its JDBC URL. Needs the
     * server's JDBC driver on the class path.
     *
     * @param name lower-case letters, digits and underscores, at most 63, with a letter first
     * @throws DevServerException if a database of this name exists or the server cannot be reached
     */
    String createDatabase(String name);

    /**
     * Starts the server again on the same data and port, and returns when it accepts connections.
     *
     * @throws IllegalStateException if it is running
     * @throws DevServerException if it does not accept connections within a minute; the message ends with its log
     */
    void start();

    /** Stops the server in its own orderly way, and returns when it is gone. Does nothing if it is not running. */
    void stop();

    /** Kills the server and all of its processes as {@code kill -9} does, and returns when they are gone. */
    void kill();

    /**
     * Freezes the server and all of its processes: connections stay open and nobody answers.
     *
     * @throws IllegalStateException if it is not running
     */
    void pause();

    /**
     * Lets a frozen server go on.
     *
     * @throws IllegalStateException if it is not running
     */
    void resume();

    /** Ends the server without ceremony and deletes its data. */
    @Override
    void close();
}
