package outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;

/** Checks that the tables exist and are of this library's version. */
public record SchemaCheck(TableNames tables) {

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
        String table = tables.meta();
        try {
            String select = "SELECT schema_version FROM " + table + " WHERE id = 1";
            int version = Sql.list(conn, "read " + table, select, row -> row.getInt(1)).stream()
                    .findFirst()
                    .orElse(0);
            if (version != Migration.LATEST) {
                return Optional.of(ofVersion(version));
            }
            table = tables.event();
            Sql.list(conn, "read " + table, "SELECT event_id, seq FROM " + table + " WHERE 1 = 0", row -> row);
            return Optional.empty();
        } catch (OutboxException e) {
            if (e.getCause() instanceof SQLException cause && SqlFailure.isMissingTable(cause)) {
                return Optional.of(
                        new Fault(Flaw.MISSING, "table " + table + " does not exist.", howToInstall(), cause));
            }
            throw e;
        }
    }

    private Fault ofVersion(int version) {
        String what = "table " + tables.event() + " is of version " + version;
        return version < Migration.LATEST
                ? new Fault(
                        Flaw.OLDER, what + ", and this library needs " + Migration.LATEST + ".", howToInstall(), null)
                : new Fault(
                        Flaw.NEWER,
                        what + ", newer than the " + Migration.LATEST + " that this library knows.",
                        "Use a newer library.",
                        null);
    }

    private String howToInstall() {
        return "Call new SchemaInstaller(connectionProvider, new TableNames(\"" + tables.event()
                + "\")).install(), or apply the SQL that its print() gives with your own migration tool.";
    }
}
