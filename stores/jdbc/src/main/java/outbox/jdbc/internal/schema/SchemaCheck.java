package outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.SchemaException;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.relay.StoredLayout;

/** Looks, before anything is claimed, whether the tables are there, of the right version, and worked as this instance works. */
public record SchemaCheck(TableNames tables) {

    /** What {@code outbox_meta} says. */
    private record Meta(int version, @Nullable String strategy) {}

    public void open(Connection conn) {
        requireVersion(conn);
        Sql.update(
                conn,
                "record how the table is worked",
                "UPDATE " + tables.meta() + " SET claim_strategy = ? WHERE id = 1 AND claim_strategy IS NULL",
                StoredLayout.DISPATCHER);
        StoredLayout.requireDispatchers(
                "table " + tables.event(), read(conn).strategy(), "SchemaInstaller.changeToDispatchers()");
    }

    /** Why the tables cannot be worked with. */
    public enum Flaw {
        MISSING,
        OLDER,
        NEWER
    }

    /**
     * What is wrong with the tables.
     *
     * @param what it is, in a sentence
     * @param advice what to do
     */
    public record Fault(
            Flaw flaw, String what, String advice, @Nullable SQLException cause) {

        SchemaException exception() {
            SchemaException exception = new SchemaException(what + " " + advice);
            if (cause != null) {
                exception.initCause(cause);
            }
            return exception;
        }
    }

    public void requireVersion(Connection conn) {
        Optional<Fault> fault = fault(conn);
        if (fault.isPresent()) {
            throw fault.get().exception();
        }
    }

    /** What is wrong with the tables; empty when they are there and of this version. */
    public Optional<Fault> fault(Connection conn) {
        try {
            int version = readOrMiss(conn).version();
            if (version < Migration.LATEST) {
                return fault(Flaw.OLDER, version, ", and this library needs " + Migration.LATEST + ".", howToInstall());
            }
            if (version > Migration.LATEST) {
                String newer = ", newer than the " + Migration.LATEST + " that this library knows.";
                return fault(Flaw.NEWER, version, newer, "Use a newer library.");
            }
            look(conn);
            return Optional.empty();
        } catch (MissingTableException e) {
            return Optional.of(e.fault);
        }
    }

    private Optional<Fault> fault(Flaw flaw, int version, String rest, String advice) {
        return Optional.of(
                new Fault(flaw, "table " + tables.event() + " is of version " + version + rest, advice, null));
    }

    private void look(Connection conn) throws MissingTableException {
        String select = "SELECT event_id, seq FROM " + tables.event() + " WHERE 1 = 0";
        try (PreparedStatement statement = conn.prepareStatement(select);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
        } catch (SQLException e) {
            throw missing(tables.event(), e);
        }
    }

    private Meta read(Connection conn) {
        try {
            return readOrMiss(conn);
        } catch (MissingTableException e) {
            throw e.fault.exception();
        }
    }

    private Meta readOrMiss(Connection conn) throws MissingTableException {
        String select = "SELECT schema_version, claim_strategy FROM " + tables.meta() + " WHERE id = 1";
        try (PreparedStatement statement = conn.prepareStatement(select);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? new Meta(row.getInt(1), row.getString(2)) : new Meta(0, null);
        } catch (SQLException e) {
            throw missing(tables.meta(), e);
        }
    }

    private MissingTableException missing(String table, SQLException e) {
        if (!SqlFailure.isMissingTable(e)) {
            throw SqlFailure.of("read " + table, e);
        }
        return new MissingTableException(
                new Fault(Flaw.MISSING, "table " + table + " does not exist.", howToInstall(), e));
    }

    /** Leaves this class as a fault only. */
    private static final class MissingTableException extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Fault fault;

        MissingTableException(Fault fault) {
            this.fault = fault;
        }
    }

    private String howToInstall() {
        return "Call new SchemaInstaller(connectionProvider, new TableNames(\"" + tables.event()
                + "\")).install(), or apply the SQL that its print() gives with your own migration tool.";
    }
}
