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

    /** "1 event", "2 events". */
    public static String counted(long number, String thing) {
        return String.format(java.util.Locale.ROOT, "%,d %s%s", number, thing, number == 1 ? "" : "s");
    }
}
