package catbox.cli.output;

import java.util.Locale;

/** Makes text safe and short enough to print. */
public final class Lines {

    private Lines() {}

    /** Returns one line without control characters: stored text may contain codes that move a terminal's cursor. */
    public static String single(Object text) {
        return text.toString().strip().replaceAll("\\s*[\\r\\n]\\s*", " ").replaceAll("\\p{Cntrl}", "?");
    }

    /** Returns several lines, without other control characters. */
    public static String plain(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "?");
    }

    /** Cuts text that is too long, and marks the cut. */
    public static String cut(String text, int charactersMax) {
        return text.length() <= charactersMax ? text : text.substring(0, Math.max(0, charactersMax - 1)) + "…";
    }

    /** Breaks text between words into lines that fit the width; all but the first are indented. */
    public static String wrapped(String text, int width, int indent) {
        int room = Math.max(20, width - indent);
        StringBuilder lines = new StringBuilder();
        int used = 0;
        for (String word : text.split(" ", -1)) {
            if (used > 0 && used + 1 + word.length() > room) {
                lines.append(System.lineSeparator()).repeat(" ", indent);
                used = 0;
            }
            lines.append(used > 0 ? " " : "").append(word);
            used += word.length() + (used > 0 ? 1 : 0);
        }
        return lines.toString();
    }

    /** Quotes a value if a shell would split or change it. */
    public static String argument(String value) {
        return value.matches("[\\w./:@%+=,-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
    }

    /** "1 event", "2 events", "2 entries". */
    public static String counted(long number, String thing) {
        String counted = number == 1 ? thing : thing.replaceFirst("y$", "ie") + "s";
        return String.format(Locale.ROOT, "%,d %s", number, counted);
    }
}
