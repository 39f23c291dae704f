/** The outbox in a relational database, on plain JDBC. */
module outbox.jdbc {
    requires transitive outbox.core;
    requires static org.jspecify;
    requires static org.postgresql.jdbc;

    exports outbox.jdbc;
}
