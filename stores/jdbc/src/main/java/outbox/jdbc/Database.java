package outbox.jdbc;

/** The databases that the outbox has a schema for. */
public enum Database {
    POSTGRESQL("postgresql"),
    MYSQL("mysql"),
    MARIADB("mariadb"),
    H2("h2");

    public final String folder;

    Database(String folder) {
        this.folder = folder;
    }
}
