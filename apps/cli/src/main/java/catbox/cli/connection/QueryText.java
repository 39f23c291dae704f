package catbox.cli.connection;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.RouteView;
import outbox.spi.operations.EventFilter;

/** The query of a URL, without the parameters that are null. */
final class QueryText {

    private final StringBuilder text = new StringBuilder();

    QueryText add(String name, @Nullable Object value) {
        if (value != null) {
            text.append(text.isEmpty() ? '?' : '&')
                    .append(name)
                    .append('=')
                    .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
        }
        return this;
    }

    QueryText filter(EventFilter filter) {
        EventFilter.State state = filter.state();
        return add("state", state == null ? null : state.name().toLowerCase(Locale.ROOT))
                .add("type", filter.eventType())
                .add("key", filter.key())
                .add("aggregate", filter.aggregateId())
                .add("tenant", filter.tenantId())
                .add("error", filter.error())
                .add("from", filter.createdFrom())
                .add("before", filter.createdBefore());
    }

    QueryText sample(RouteView.@Nullable Sample sample) {
        if (sample == null) {
            return this;
        }
        add("type", sample.eventType())
                .add("aggregate-type", sample.aggregateType())
                .add("aggregate", sample.aggregateId())
                .add("tenant", sample.tenantId());
        for (Map.Entry<String, String> header : new TreeMap<>(sample.headers()).entrySet()) {
            add("header", header.getKey() + "=" + header.getValue());
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
