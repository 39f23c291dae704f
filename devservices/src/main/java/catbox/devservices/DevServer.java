package catbox.devservices;

/**
 * A real server that runs as a child process, on 127.0.0.1, until it is closed or this JVM ends.
 *
 * <p>It is started when it is created. It keeps its port and its data through any number of {@link #stop}, {@link
 * #kill} and {@link #start}. All methods may be called from any thread.
 */
public interface DevServer extends AutoCloseable {

    /** Returns the port on 127.0.0.1, which stays the same through restarts. */
    int port();

    /**
     * Starts the server again on the same data and port, and returns when it accepts connections.
     *
     * @throws IllegalStateException if it is running
     * @throws DevServerException if it does not accept connections within two minutes; the message ends with its log
     */
    void start();

    /** Stops the server in its own orderly manner, and returns when it has ended. Does nothing if it is not running. */
    void stop();

    /** Kills the server and all of its processes as {@code kill -9} does, and returns when they have ended. */
    void kill();

    /**
     * Freezes the server and all of its processes: connections stay open, but nothing answers.
     *
     * @throws IllegalStateException if it is not running
     */
    void pause();

    /**
     * Resumes a frozen server.
     *
     * @throws IllegalStateException if it is not running
     */
    void resume();

    /** Kills the server and deletes its data. */
    @Override
    void close();
}
