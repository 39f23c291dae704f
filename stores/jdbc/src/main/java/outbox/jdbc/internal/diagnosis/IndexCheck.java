package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.schema.FoundIndex;
import outbox.jdbc.internal.schema.IndexPlan;
import outbox.jdbc.internal.sql.QualifiedName;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** Compares the indexes of the database with those of the schema. */
record IndexCheck(Dialect dialect, TableNames tables) {

    private static final String HOW_TO_MAKE =
            "Make it again as catbox schema print gives it, on PostgreSQL with CREATE INDEX CONCURRENTLY.";

    List<Finding> findings(Connection conn) throws SQLException {
        int partitions =
                DiagnosisCheck.query(
                                conn, "SELECT partitions FROM " + tables.meta() + " WHERE id = 1", row -> row.getInt(1))
                        .stream()
                        .findFirst()
                        .orElse(1);
        Map<String, FoundIndex> there = new LinkedHashMap<>();
        for (String table : List.of(tables.event(), tables.attempt())) {
            found(conn, table).forEach(each -> there.put(each.plan().name(), each));
        }
        List<Finding> findings = new ArrayList<>();
        for (IndexPlan expected : IndexPlan.expected(dialect, tables, partitions)) {
            FoundIndex found = there.get(expected.name());
            if (found == null) {
                findings.add(missing(expected));
            } else if (!found.plan().equals(expected)) {
                findings.add(wrong(expected, found.plan()));
            }
        }
        there.values().stream().filter(found -> !found.valid()).forEach(found -> findings.add(invalid(found.plan())));
        return findings;
    }

    private static Finding missing(IndexPlan index) {
        return Finding.error(
                FindingCode.INDEX_MISSING,
                "An index is missing",
                "table " + index.table() + " has no index " + index.name() + " " + index.inWords()
                        + ": what it serves reads the whole table, or fails",
                HOW_TO_MAKE);
    }

    private static Finding wrong(IndexPlan expected, IndexPlan actual) {
        return Finding.error(
                FindingCode.INDEX_WRONG,
                "An index is not what its name says",
                "index " + actual.name() + " of table " + actual.table() + " is " + actual.inWords() + " and should be "
                        + expected.inWords(),
                "Drop it. " + HOW_TO_MAKE);
    }

    private static Finding invalid(IndexPlan index) {
        return Finding.error(
                FindingCode.INDEX_INVALID,
                "An index was left behind unfinished",
                "index " + index.name() + " of table " + index.table()
                        + " is not valid, so it costs writes and serves no reads",
                "Its making broke off. Unless it is being made right now, run REINDEX INDEX CONCURRENTLY "
                        + index.name() + ".");
    }

    private List<FoundIndex> found(Connection conn, String table) throws SQLException {
        QualifiedName name = QualifiedName.of(table);
        return FoundIndex.of(
                table,
                DiagnosisCheck.query(
                        conn, dialect.indexes(tables).list(), FoundIndex.Column::read, name.schema(), name.name()));
    }
}
