package catbox.console;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import outbox.admin.Parameters;

/**
 * A record as a form and its address have it, in the words of the API. What is empty says nothing; blanks are part of keys
 * and patterns, and stay as they were given.
 *
 * @param type of the record
 */
public record FilterForm<T>(Class<T> type, Map<String, List<String>> fields) {

    static <T> FilterForm<T> of(Class<T> type, MultiValueMap<String, String> form) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (Parameters.Parameter parameter : Parameters.of(type)) {
            List<String> texts = form.getOrDefault(parameter.name(), List.of());
            if (texts.stream().anyMatch(text -> !text.isEmpty())) {
                fields.put(parameter.name(), texts);
            }
        }
        return new FilterForm<>(type, fields);
    }

    T record() {
        return Parameters.read(type, fields);
    }

    public boolean isEmpty() {
        return fields.isEmpty();
    }

    /** What the form says; null when it says nothing. */
    public @Nullable String get(String name) {
        return fields.containsKey(name) ? String.join("\n", fields.get(name)) : null;
    }

    /** As names and values in turn, with more of them behind. */
    public String[] parameters(String... more) {
        List<String> all = Links.pairs(fields);
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }
}
