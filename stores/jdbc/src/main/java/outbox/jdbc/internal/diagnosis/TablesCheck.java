package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import outbox.OutboxException;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.schema.SchemaCheck;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** Checks that all tables are there, can be read, and are of this library's version. */
record TablesCheck(TableNames tables) {

    private static final String HOW_TO_MIGRATE =
            "Run catbox schema migrate, or call SchemaInstaller.install(), or apply what catbox schema print gives.";

    List<Finding> findings(Connection conn) throws SQLException {
        List<String> missing = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (String table : tables.all()) {
            try {
                DiagnosisCheck.query(conn, "SELECT 1 FROM " + table + " WHERE 1 = 0", row -> row.getInt(1));
            } catch (SQLException e) {
                if (SqlFailure.isMissingTable(e)) {
                    missing.add(table);
                } else if (SqlFailure.isNotPermitted(e)) {
                    unreadable.add("SELECT on " + table);
                } else {
                    throw e;
                }
            }
        }
        if (!unreadable.isEmpty()) {
            return List.of(RightsCheck.finding(conn, unreadable));
        }
        // Where tables of a later version are missing, the version says it better.
        boolean whole = missing.isEmpty() || (!missing.contains(tables.event()) && !missing.contains(tables.meta()));
        List<Finding> ofVersion = whole ? version(conn) : List.of();
        return missing.isEmpty() || !ofVersion.isEmpty() ? ofVersion : List.of(missing(missing));
    }

    private static Finding missing(List<String> tables) {
        return Finding.error(
                FindingCode.TABLES_MISSING,
                "Tables are missing",
                "there is no " + String.join(", no ", tables),
                "See whether this is the right database, schema and table name. " + HOW_TO_MIGRATE);
    }

    private List<Finding> version(Connection conn) throws SQLException {
        try {
            return new SchemaCheck(tables)
                    .fault(conn).stream().map(TablesCheck::finding).toList();
        } catch (OutboxException e) {
            if (e.getCause() instanceof SQLException sql) {
                throw sql;
            }
            throw e;
        }
    }

    private static Finding finding(SchemaCheck.Fault fault) {
        return switch (fault.flaw()) {
            case MISSING ->
                Finding.error(FindingCode.TABLES_MISSING, "Tables are missing", fault.what(), HOW_TO_MIGRATE);
            case OLDER ->
                Finding.error(
                        FindingCode.SCHEMA_OLDER,
                        "The tables are of an older version than this program",
                        fault.what(),
                        HOW_TO_MIGRATE);
            case NEWER ->
                Finding.error(
                        FindingCode.SCHEMA_NEWER,
                        "The tables are of a newer version than this program",
                        fault.what(),
                        "Use the version of this program that the other nodes have.");
        };
    }
}
