package catbox.devservices;

/** A database server with its JDBC login. */
public interface DatabaseServer extends DevServer {

    /** Returns the JDBC URL of a database that exists from the start. */
    String jdbcUrl();

    /** Returns the JDBC URL of the database of this name; parameters may be appended after a {@code ?}. */
    String jdbcUrl(String database);

    /** Returns the name of the superuser. */
    String user();

    /** Returns the password of the superuser, which is empty, because no other machine can reach the server. */
    String password();

    /**
     * Creates a new, empty database and returns its JDBC URL, so that each test class can have its own. Needs the
     * server's JDBC driver on the class path.
     *
     * @param name lower-case letters, digits and underscores, at most 63, with a letter first
     * @throws DevServerException if a database of this name exists or the server cannot be reached
     */
    String createDatabase(String name);
}
