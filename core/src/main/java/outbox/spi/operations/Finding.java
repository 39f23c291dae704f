package outbox.spi.operations;

/**
 * Something that is wrong.
 *
 * @param code stable, for programs: the word of a {@link FindingCode}, or of a newer one where the finding came from a
 *     newer server
 * @param title what is wrong, in a sentence
 * @param evidence what was seen
 * @param advice what to do
 */
public record Finding(String code, Severity severity, String title, String evidence, String advice) {

    /** How bad it is, the worst first. */
    public enum Severity {
        /** Events are not delivered, or could be lost from sight. */
        ERROR,
        /** It works, and will not for long, or not well. */
        WARNING,
        /** Worth knowing. */
        ADVICE
    }

    public static Finding error(FindingCode code, String title, String evidence, String advice) {
        return new Finding(code.label(), Severity.ERROR, title, evidence, advice);
    }

    public static Finding warning(FindingCode code, String title, String evidence, String advice) {
        return new Finding(code.label(), Severity.WARNING, title, evidence, advice);
    }

    public static Finding advice(FindingCode code, String title, String evidence, String advice) {
        return new Finding(code.label(), Severity.ADVICE, title, evidence, advice);
    }

    /** Whether it is of this kind. */
    public boolean is(FindingCode kind) {
        return code.equals(kind.label());
    }
}
