package outbox.spi.operations;

/**
 * A fault or a fact that an operator should know.
 *
 * @param code stable, for programs: the label of a {@link FindingCode}, or a newer one if a newer server reported the
 *     finding
 * @param title the fault, in a sentence
 * @param evidence the observed values
 * @param advice what to do
 */
public record Finding(String code, Severity severity, String title, String evidence, String advice) {

    /** The severity, the worst first. */
    public enum Severity {
        /** Events are not delivered, or could stay unnoticed. */
        ERROR,
        /** It works, but not well or not for long. */
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

    /** Whether it has this code. */
    public boolean is(FindingCode kind) {
        return code.equals(kind.label());
    }
}
