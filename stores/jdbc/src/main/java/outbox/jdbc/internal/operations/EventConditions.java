package outbox.jdbc.internal.operations;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.sql.SqlText;
import outbox.spi.operations.EventFilter;

/** What has to hold of a row, under the alias c, beyond being on the way that is walked. */
public final class EventConditions {

    private final List<Consumer<SqlText>> conditions = new ArrayList<>();

    /** Everything that the filter says except the state. */
    public static EventConditions of(EventFilter filter) {
        EventConditions all = new EventConditions();
        all.text("c.event_type = ?", filter.eventType());
        all.text("c.ordering_key = ?", filter.key());
        all.text("c.aggregate_id = ?", filter.aggregateId());
        all.text("c.tenant_id = ?", filter.tenantId());
        all.text("COALESCE(c.last_error, '') LIKE ? ESCAPE '!'", pattern(filter.error()));
        return all;
    }

    EventConditions status(String condition) {
        conditions.add(sql -> sql.add("c.status " + condition));
        return this;
    }

    EventConditions created(EventFilter filter) {
        time("c.created_at >= ?", filter.createdFrom());
        time("c.created_at < ?", filter.createdBefore());
        return this;
    }

    private void text(String condition, @Nullable String value) {
        if (value != null) {
            conditions.add(sql -> sql.add(condition, value));
        }
    }

    private void time(String condition, @Nullable Instant value) {
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
