package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** Checks that this user may do to the tables what a relay and an operator do, by doing it to no row. */
record RightsCheck(TableNames tables, ServerChecks server) {

    /** A right on a table. To insert, all columns are named that have to be: MariaDB asks for them even where no row is. */
    private record Right(String name, String table, String statement) {

        static Right insert(String table, String columns) {
            return new Right(
                    "INSERT",
                    table,
                    "INSERT INTO " + table + " (" + columns + ") SELECT " + columns + " FROM " + table
                            + " WHERE 1 = 0");
        }

        static Right update(String table, String column) {
            return new Right("UPDATE", table, "UPDATE " + table + " SET " + column + " = " + column + " WHERE 1 = 0");
        }

        static Right delete(String table) {
            return new Right("DELETE", table, "DELETE FROM " + table + " WHERE 1 = 0");
        }
    }

    List<Finding> findings(Connection conn) throws SQLException {
        List<String> lacking = new ArrayList<>();
        for (Right right : needed()) {
            try {
                DiagnosisCheck.execute(conn, right.statement());
            } catch (SQLException e) {
                if (!SqlFailure.isNotPermitted(e)) {
                    throw e;
                }
                lacking.add(right.name() + " on " + right.table());
            }
        }
        lacking.addAll(server.missingRights(conn));
        return lacking.isEmpty() ? List.of() : List.of(finding(conn, lacking));
    }

    // An application publishes with another user, most often: the right to insert events is not needed.
    private List<Right> needed() {
        return List.of(
                Right.update(tables.event(), "attempts"),
                Right.delete(tables.event()),
                Right.update(tables.meta(), "claim_strategy"),
                Right.insert(
                        tables.node(),
                        "session_id, node_id, weight, version, address, joined_at, heartbeat_at, expires_at"),
                Right.update(tables.node(), "version"),
                Right.delete(tables.node()),
                Right.insert(tables.slot(), "slot"),
                Right.update(tables.slot(), "owner"),
                Right.insert(tables.attempt(), "event_id, attempt, node_id, destination, error, failed_at"),
                Right.delete(tables.attempt()),
                Right.insert(tables.delivery(), "event_id, target, acknowledged_at"),
                Right.delete(tables.delivery()),
                Right.insert(tables.hold(), "kind, name, reason, held_by, held_since"),
                Right.delete(tables.hold()),
                Right.insert(tables.audit(), "at, who, action, subject"),
                Right.insert(tables.auditEvent(), "event_id, audit_id"),
                Right.delete(tables.auditEvent()),
                Right.insert(tables.original(), "event_id, changed_at"),
                Right.delete(tables.original()));
    }

    static Finding finding(Connection conn, List<String> lacking) throws SQLException {
        return Finding.error(
                FindingCode.RIGHTS_MISSING,
                "The user lacks rights on the tables",
                "user " + conn.getMetaData().getUserName() + " has no " + String.join(", no ", lacking),
                "Grant them. If relays work with another user, this is about what you do with this tool.");
    }
}
