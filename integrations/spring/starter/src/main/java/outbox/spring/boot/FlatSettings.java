package outbox.spring.boot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Joins lists with commas, as the engine reads them: Spring binds a list as {@code to.0}, {@code to.1}. */
final class FlatSettings {

    private static final Pattern ELEMENT = Pattern.compile("(.+)\\.(\\d{1,6})");

    private FlatSettings() {}

    static Map<String, String> of(Map<String, String> bound) {
        Map<String, String> flat = new LinkedHashMap<>();
        Map<String, Map<Integer, String>> lists = new LinkedHashMap<>();
        bound.forEach((key, value) -> {
            Matcher element = ELEMENT.matcher(key);
            if (element.matches()) {
                lists.computeIfAbsent(element.group(1), list -> new TreeMap<>())
                        .put(Integer.valueOf(element.group(2)), value);
            } else {
                flat.put(key, value);
            }
        });
        lists.forEach((key, elements) -> flat.put(key, String.join(",", elements.values())));
        return flat;
    }

    static List<Map<String, String>> of(List<Map<String, String>> bound) {
        List<Map<String, String>> flat = new ArrayList<>();
        bound.forEach(settings -> flat.add(of(settings)));
        return flat;
    }
}
