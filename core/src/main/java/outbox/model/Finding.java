package outbox.model;

/**
 * Something that is wrong.
 *
 * @param code stable, for programs, such as {@code long-transaction}
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
}
