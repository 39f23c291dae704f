package outbox.jdbc.internal.dialect;

import java.util.List;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.sql.QualifiedName;

/** PostgreSQL: an index that was broken off is left behind as invalid, and costs writes without serving reads. */
record PostgresIndexes(TableNames tables) implements IndexStatements {

    @Override
    public String list() {
        return "SELECT c.relname, pg_get_indexdef(i.indexrelid, k, true), COALESCE(pg_get_expr(i.indpred, i.indrelid), ''),"
                + " i.indisvalid AND i.indisready, NOT i.indisvalid AND EXISTS (SELECT 1 FROM"
                + " pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid)"
                + " FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid, generate_series(1, i.indnkeyatts) k"
                + " WHERE i.indrelid = to_regclass(COALESCE(?::text || '.', '') || ?::text) ORDER BY c.relname, k";
    }

    @Override
    public List<String> create(int partitions) {
        return List.of("CREATE INDEX CONCURRENTLY IF NOT EXISTS " + IndexStatements.ofPartitions(tables, partitions)
                + " ON " + tables.event() + " ((key_hash % " + partitions + "), seq) WHERE (status % 2) = 0");
    }

    @Override
    public String drop(String index) {
        return "DROP INDEX CONCURRENTLY IF EXISTS "
                + QualifiedName.of(tables.event()).sibling(index);
    }
}
