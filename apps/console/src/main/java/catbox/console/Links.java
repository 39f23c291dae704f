package catbox.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes addresses of this console's own pages, and accepts no others. */
final class Links {

    private Links() {}

    /** Names and values in turn; one name may have several values. */
    static List<String> pairs(Map<String, List<String>> fields) {
        List<String> pairs = new ArrayList<>();
        fields.forEach((name, values) -> values.forEach(value -> pairs.addAll(List.of(name, value))));
        return pairs;
    }

    /** Names and values in turn, behind a first character; those without a value are left out. */
    static String query(String[] parameters, String first) {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i + 1 < parameters.length; i += 2) {
            String value = parameters[i + 1];
            if (value != null && !value.isEmpty()) {
                query.append(query.isEmpty() ? first : "&")
                        .append(parameters[i])
                        .append('=')
                        .append(encoded(value));
            }
        }
        return query.toString();
    }

    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** The page that a form returns to, if it is a page of this server; the first page otherwise. */
    static String back(String wanted) {
        boolean own = wanted.startsWith("/")
                && !wanted.startsWith("//")
                && wanted.chars().noneMatch(c -> c == '\\' || c < ' ');
        return own ? wanted : "/";
    }
}
