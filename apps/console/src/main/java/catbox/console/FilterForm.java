package catbox.console;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import outbox.admin.Parameters;

/**
 * A record as the fields of a form and its address, with the parameters of the API. Empty fields do not count. Blanks are
 * part of keys and patterns, and stay.
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

    /** The value of a field; null if it is empty. */
    public @Nullable String get(String name) {
        return fields.containsKey(name) ? String.join("\n", fields.get(name)) : null;
    }

    /** Names and values in turn, followed by more of them. */
    public String[] parameters(String... more) {
        List<String> all = Links.pairs(fields);
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }
}
