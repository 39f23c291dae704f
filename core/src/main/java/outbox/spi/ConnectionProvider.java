package outbox.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;

/** Gives short-lived connections for work outside the business transaction. The caller closes them. */
@FunctionalInterface
public interface ConnectionProvider {

    Connection getConnection() throws SQLException;

    /** How many connections can be open at once, if that is known. Workers are checked against it at start. */
    default OptionalInt connectionsMax() {
        return OptionalInt.empty();
    }
}
