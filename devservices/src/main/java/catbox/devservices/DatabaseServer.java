package catbox.devservices;

/** A database server, and how to get in by JDBC. */
public interface DatabaseServer extends DevServer {

    /** The JDBC URL of a database that is there from the start. */
    String jdbcUrl();

    /** The JDBC URL of the database of this name; parameters may be appended after a {@code ?}. */
    String jdbcUrl(String database);

    /** The name of the superuser. */
    String user();

    /** The password of the superuser; empty, because nobody else can reach the server. */
    String password();

    /**
     * Creates a new, empty database, so that each test class can have one of its own, and returns its JDBC URL. Needs the
     * server's JDBC driver on the class path.
     *
     * @param name lower-case letters, digits and underscores, at most 63, with a letter first
     * @throws DevServerException if a database of this name exists or the server cannot be reached
     */
    String createDatabase(String name);
}
