package outbox.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.jdbc.SchemaInstaller;
import outbox.spring.boot.OutboxProperties.SchemaMode;

/** The tables, checked or installed before anything is published. */
final class OutboxSchema {

    private final SchemaInstaller installer;
    private final OutboxDatabase database;

    OutboxSchema(OutboxDatabase database, SchemaMode mode) {
        this.database = database;
        this.installer = new SchemaInstaller(database.connections(), database.tables());
        switch (mode) {
            case CHECK -> check();
            case INSTALL -> {
                installer.install();
                check(); // There is nothing to install into tables that are newer than this library.
            }
            case NONE -> {}
        }
    }

    /**
     * Looks whether the tables are there and of the right version.
     *
     * @throws SchemaException that says what is wrong
     */
    void check() {
        installer.check();
    }

    /**
     * Looks whether the event table can be reached. Not its version: while a newer instance brings the tables up to date,
     * older ones still work.
     *
     * @throws OutboxException that says what is wrong
     */
    void reach() {
        try (Connection connection = database.connections().getConnection();
                Statement statement = connection.createStatement()) {
            statement
                    .executeQuery("SELECT 1 FROM " + database.tables().event() + " WHERE 1 = 0")
                    .close();
        } catch (SQLException e) {
            throw new OutboxException(
                    "table " + database.tables().event() + " cannot be reached: " + e.getMessage(), e);
        }
    }
}
