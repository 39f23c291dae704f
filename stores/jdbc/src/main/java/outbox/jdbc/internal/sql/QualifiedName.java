package outbox.jdbc.internal.sql;

import org.jspecify.annotations.Nullable;

/** The name of a table, and of its schema if it has one. */
public record QualifiedName(@Nullable String schema, String name) {

    public static QualifiedName of(String table) {
        int dot = table.indexOf('.');
        return new QualifiedName(dot < 0 ? null : table.substring(0, dot), table.substring(dot + 1));
    }

    /** The name of what is in the same schema. */
    public String sibling(String other) {
        return schema == null ? other : schema + "." + other;
    }
}
