package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.schema.IndexPlan;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** Compares the indexes that there are with those that the schema makes. */
record IndexCheck(Dialect dialect, TableNames tables) {

    private static final String HOW_TO_MAKE =
            "Make it again as catbox schema print gives it, on PostgreSQL with CREATE INDEX CONCURRENTLY.";

    /** An index that is there. */
    private record Found(IndexPlan index, boolean valid) {}

    DiagnosisCheck look() {
        return new DiagnosisCheck("the indexes", this::on);
    }

    private List<Finding> on(Connection conn) throws SQLException {
        int partitions =
                DiagnosisCheck.query(
                                conn, "SELECT partitions FROM " + tables.meta() + " WHERE id = 1", row -> row.getInt(1))
                        .stream()
                        .findFirst()
                        .orElse(1);
        Map<String, Found> there = new LinkedHashMap<>();
        for (String table : List.of(tables.event(), tables.attempt())) {
            found(conn, table).forEach(each -> there.put(each.index().name(), each));
        }
        List<Finding> findings = new ArrayList<>();
        for (IndexPlan expected : IndexPlan.expected(dialect, tables, partitions)) {
            Found found = there.get(expected.name());
            if (found == null) {
                findings.add(missing(expected));
            } else if (!found.index().equals(expected)) {
                findings.add(wrong(expected, found.index()));
            }
        }
        there.values().stream().filter(found -> !found.valid()).forEach(found -> findings.add(invalid(found.index())));
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

    // ---- the catalogues ------------------------------------------------------------------------------------------

    private List<Found> found(Connection conn, String table) throws SQLException {
        return switch (dialect.name()) {
            case "postgresql" -> postgres(conn, table);
            case "h2" ->
                portable(
                        conn,
                        table,
                        "SELECT index_name, column_name FROM information_schema.index_columns"
                                + " WHERE LOWER(table_schema) = LOWER(COALESCE(?, CURRENT_SCHEMA))"
                                + " AND LOWER(table_name) = LOWER(?) ORDER BY index_name, ordinal_position");
            default ->
                portable(
                        conn,
                        table,
                        "SELECT index_name, column_name FROM information_schema.statistics"
                                + " WHERE table_schema = COALESCE(?, DATABASE()) AND LOWER(table_name) = LOWER(?)"
                                + " ORDER BY index_name, seq_in_index");
        };
    }

    private static List<Found> postgres(Connection conn, String table) throws SQLException {
        return DiagnosisCheck.query(
                conn,
                "SELECT c.relname, i.indisvalid AND i.indisready, pg_get_expr(i.indpred, i.indrelid),"
                        + " ARRAY(SELECT pg_get_indexdef(i.indexrelid, k, true) FROM generate_series(1, i.indnkeyatts) k"
                        + " ORDER BY k) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                        + " WHERE i.indrelid = to_regclass(?)",
                row -> new Found(
                        IndexPlan.of(
                                table,
                                row.getString(1),
                                Arrays.asList((String[]) row.getArray(4).getArray()),
                                Objects.requireNonNullElse(row.getString(3), "")),
                        row.getBoolean(2)),
                table);
    }

    private static List<Found> portable(Connection conn, String table, String select) throws SQLException {
        record Part(String index, String column) {}
        int dot = table.indexOf('.');
        Map<String, List<String>> columns = new LinkedHashMap<>();
        DiagnosisCheck.query(
                        conn,
                        select,
                        row -> new Part(row.getString(1), String.valueOf(row.getString(2))),
                        dot < 0 ? null : table.substring(0, dot),
                        table.substring(dot + 1))
                .forEach(part -> columns.computeIfAbsent(part.index(), index -> new ArrayList<>())
                        .add(part.column()));
        return columns.entrySet().stream()
                .map(each -> new Found(IndexPlan.of(table, each.getKey(), each.getValue(), ""), true))
                .toList();
    }
}
