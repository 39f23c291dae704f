package outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;

/** The names of the event table's indexes, in lower case, as the database's catalogue has them. */
record IndexNames(Dialect dialect, TableNames tables) {

    /** Those that are whole. */
    List<String> usable(Connection conn) {
        return read(
                conn,
                switch (dialect.name()) {
                    case "postgresql" -> postgres("i.indisvalid");
                    case "h2" -> portable("indexes", "LOWER(table_schema) = LOWER(COALESCE(?, CURRENT_SCHEMA))");
                    default -> portable("statistics", "table_schema = COALESCE(?, DATABASE())");
                });
    }

    /** Those whose making broke off. Only PostgreSQL leaves them behind; they cost writes without serving reads. */
    List<String> broken(Connection conn) {
        return dialect.name().equals("postgresql") ? read(conn, postgres("NOT i.indisvalid")) : List.of();
    }

    /** Those that somebody is making right now, as far as he may be seen. */
    List<String> underWay(Connection conn) {
        return dialect.name().equals("postgresql")
                ? read(
                        conn,
                        postgres("NOT i.indisvalid AND EXISTS (SELECT 1 FROM pg_stat_progress_create_index p"
                                + " WHERE p.index_relid = i.indexrelid)"))
                : List.of();
    }

    private static String postgres(String condition) {
        return "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                + " WHERE i.indrelid = to_regclass(?) AND " + condition;
    }

    private static String portable(String view, String inSchema) {
        return "SELECT DISTINCT index_name FROM information_schema." + view + " WHERE " + inSchema
                + " AND LOWER(table_name) = LOWER(?)";
    }

    private List<String> read(Connection conn, String select) {
        return Sql.query(conn, "look for indexes", select, this::bind, Sql::strings).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
    }

    private void bind(PreparedStatement statement) throws SQLException {
        if (dialect.name().equals("postgresql")) {
            statement.setString(1, tables.event());
        } else {
            int dot = tables.event().indexOf('.');
            @Nullable String schema = dot < 0 ? null : tables.event().substring(0, dot);
            statement.setString(1, schema);
            statement.setString(2, tables.unqualified());
        }
    }
}
