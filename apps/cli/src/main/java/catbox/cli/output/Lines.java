package catbox.cli.output;

/** Text that fits where it is put. */
public final class Lines {

    private Lines() {}

    /**
     * On one line, and harmless to a terminal: what is stored may come from anybody, and could hold codes that move the
     * cursor.
     */
    public static String single(Object text) {
        return text.toString().strip().replaceAll("\\s*[\\r\\n]\\s*", " ").replaceAll("\\p{Cntrl}", "?");
    }

    /** Several lines, as harmless. */
    public static String plain(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "?");
    }

    /** Not longer than this, with a mark where something is missing. */
    public static String cut(String text, int charactersMax) {
        return text.length() <= charactersMax ? text : text.substring(0, Math.max(0, charactersMax - 1)) + "…";
    }

    /** On as many lines as the width asks for, broken between words; all but the first are indented so far. */
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

    /** As one writes it behind an option, in quotes where a shell would take it apart. */
    public static String argument(String value) {
        return value.matches("[\\w./:@%+=,-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
    }

    /** "1 event", "2 events". */
    public static String counted(long number, String thing) {
        return String.format(java.util.Locale.ROOT, "%,d %s%s", number, thing, number == 1 ? "" : "s");
    }
}
