package catbox.console;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.Selection;

/**
 * A filter of events as forms and addresses have it, in the words of the API. What is empty filters nothing; blanks are
 * part of keys and patterns, and stay as they were given.
 */
public record FilterForm(
        @Nullable String state,
        @Nullable String type,
        @Nullable String key,
        @Nullable String aggregate,
        @Nullable String tenant,
        @Nullable String error,
        @Nullable String from,
        @Nullable String before) {

    public FilterForm {
        state = filled(state);
        type = filled(type);
        key = filled(key);
        aggregate = filled(aggregate);
        tenant = filled(tenant);
        error = filled(error);
        from = filled(from);
        before = filled(before);
    }

    EventFilter filter() {
        return new EventFilter(
                state == null ? null : state(state),
                type,
                key,
                aggregate,
                tenant,
                error,
                instant(from),
                instant(before));
    }

    /** Those with these ids; without any, those that match, if anything is said about them. */
    Selection selection(List<String> ids) {
        if (!ids.isEmpty()) {
            return new Selection.Ids(ids);
        }
        if (isEmpty()) {
            throw new IllegalArgumentException("Choose some events, or say by a filter which are meant.");
        }
        return new Selection.Matching(filter());
    }

    /** The ids that were chosen in a form. By hand, because Spring takes a comma within an id for the end of it. */
    static List<String> ids(MultiValueMap<String, String> parameters) {
        return parameters.getOrDefault("id", List.of());
    }

    public boolean isEmpty() {
        return fields().isEmpty();
    }

    /** Whether more is said than in which state they are. */
    public boolean searches() {
        return fields().keySet().stream().anyMatch(name -> !name.equals("state"));
    }

    /** What is said, by the names of the form's fields. */
    public Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        put(fields, "state", state);
        put(fields, "type", type);
        put(fields, "key", key);
        put(fields, "aggregate", aggregate);
        put(fields, "tenant", tenant);
        put(fields, "error", error);
        put(fields, "from", from);
        put(fields, "before", before);
        return fields;
    }

    /** The same as names and values in turn, with more of them behind. */
    public String[] parameters(String... more) {
        List<String> all = new ArrayList<>();
        fields().forEach((name, value) -> {
            all.add(name);
            all.add(value);
        });
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }

    private static void put(Map<String, String> fields, String name, @Nullable String value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    private static @Nullable String filled(@Nullable String value) {
        return value == null || value.isEmpty() ? null : value;
    }

    private static EventFilter.State state(String word) {
        return Arrays.stream(EventFilter.State.values())
                .filter(state -> state.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("A state is pending, retry, done or dead; was \"" + word + "\"."));
    }

    /** Browsers send times without a zone, which the form says to be UTC; people also paste whole instants. */
    static @Nullable Instant instant(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return text.endsWith("Z")
                    ? Instant.parse(text)
                    : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("A time is written as 2026-11-15T10:30 (UTC); was \"" + text + "\".", e);
        }
    }
}
