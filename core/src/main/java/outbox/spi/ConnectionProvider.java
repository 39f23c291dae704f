package outbox.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;

/** Gives short-lived connections for work outside the business transaction. The caller closes them. */
@FunctionalInterface
public interface ConnectionProvider {

    Connection getConnection() throws SQLException;

    /** How many connections can be open at once, where that is known: lets a pool that is too small be named at start. */
    default OptionalInt connectionsMax() {
        return OptionalInt.empty();
    }
}
