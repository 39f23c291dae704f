package catbox.server.config;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fills {@code ${NAME}} and {@code ${NAME:default}} in from the environment. */
record Placeholders(UnaryOperator<@Nullable String> environment) {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?}");

    /**
     * The text with everything filled in.
     *
     * @throws IllegalArgumentException when a variable is not set and has no default
     */
    String fill(String text) {
        Matcher matcher = PLACEHOLDER.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (matcher.find()) {
            String value = environment.apply(matcher.group(1));
            String otherwise = matcher.group(2);
            if (value == null && otherwise == null) {
                throw new IllegalArgumentException("refers to the environment variable " + matcher.group(1)
                        + ", which is not set; ${" + matcher.group(1) + ":DEFAULT} gives a default");
            }
            matcher.appendReplacement(filled, Matcher.quoteReplacement(value == null ? otherwise : value));
        }
        return matcher.appendTail(filled).toString();
    }
}
