package outbox.jdbc.internal.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.sql.SqlText;
import outbox.spi.operations.EventFilter;

/** The conditions on a row, under the alias c, beyond those of the index that is scanned. */
public final class EventConditions {

    private final List<Consumer<SqlText>> conditions = new ArrayList<>();

    /** All conditions of the filter except the state. */
    public static EventConditions of(EventFilter filter) {
        EventConditions all = new EventConditions();
        all.add("c.event_type = ?", filter.eventType());
        all.add("c.ordering_key = ?", filter.key());
        all.add("c.aggregate_id = ?", filter.aggregateId());
        all.add("c.tenant_id = ?", filter.tenantId());
        all.add("COALESCE(c.last_error, '') LIKE ? ESCAPE '!'", pattern(filter.error()));
        return all;
    }

    EventConditions status(String condition) {
        conditions.add(sql -> sql.add("c.status " + condition));
        return this;
    }

    EventConditions created(EventFilter filter) {
        add("c.created_at >= ?", filter.createdFrom());
        add("c.created_at < ?", filter.createdBefore());
        return this;
    }

    private void add(String condition, @Nullable Object value) {
        if (value != null) {
            conditions.add(sql -> sql.add(condition, value));
        }
    }

    private static @Nullable String pattern(@Nullable String error) {
        return error == null
                ? null
                : error.replace("!", "!!").replace("%", "!%").replace("_", "!_").replace('*', '%');
    }

    /** Whether they hold for every row. */
    public boolean isEmpty() {
        return conditions.isEmpty();
    }

    void addTo(SqlText sql) {
        sql.add("1 = 1");
        conditions.forEach(condition -> condition.accept(sql.add(" AND ")));
    }
}
