package outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.QualifiedName;
import outbox.jdbc.internal.sql.Sql;

/**
 * An index of the event table as the database's catalogue has it.
 *
 * @param valid false for one whose creation broke off, which only PostgreSQL leaves behind
 * @param inProgress whether it is being built, where this user may see that
 */
public record FoundIndex(IndexPlan plan, boolean valid, boolean inProgress) {

    /** One column of an index, as a row of {@link outbox.jdbc.internal.dialect.IndexStatements#list}. */
    public record Column(String index, String column, String condition, boolean valid, boolean inProgress) {

        public static Column read(ResultSet row) throws SQLException {
            return new Column(
                    row.getString(1),
                    String.valueOf(row.getString(2)),
                    row.getString(3),
                    row.getBoolean(4),
                    row.getBoolean(5));
        }
    }

    static List<FoundIndex> all(Connection conn, Dialect dialect, TableNames tables) {
        QualifiedName table = QualifiedName.of(tables.event());
        String list = dialect.indexes(tables).list();
        return of(tables.event(), Sql.list(conn, "read the indexes", list, Column::read, table.schema(), table.name()));
    }

    /** Puts the columns of a table's indexes together. */
    public static List<FoundIndex> of(String table, List<Column> columns) {
        Map<String, List<Column>> indexes = new LinkedHashMap<>();
        columns.forEach(column -> indexes.computeIfAbsent(column.index(), name -> new ArrayList<>())
                .add(column));
        return indexes.values().stream()
                .map(of -> {
                    Column first = of.getFirst();
                    List<String> names = of.stream().map(Column::column).toList();
                    IndexPlan plan = IndexPlan.of(table, first.index(), names, first.condition());
                    return new FoundIndex(plan, first.valid(), first.inProgress());
                })
                .toList();
    }

    String name() {
        return plan.name();
    }
}
