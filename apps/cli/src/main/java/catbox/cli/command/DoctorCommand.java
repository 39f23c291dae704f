package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import outbox.model.Finding;
import outbox.model.Finding.Severity;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        description = "What is wrong, with the evidence and what to do. Ends with 1 when it finds an error.")
final class DoctorCommand implements Callable<Integer> {

    private final Desk desk;

    DoctorCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        List<Finding> findings = desk.admin().doctor();
        desk.show(findings, () -> print(findings));
        return count(findings, Severity.ERROR) > 0 ? ExitCode.WRONG : ExitCode.OK;
    }

    private void print(List<Finding> findings) {
        Screen screen = desk.screen();
        for (Finding finding : findings) {
            String severity = finding.severity().name().toLowerCase(Locale.ROOT);
            screen.print(screen.paint(colour(finding.severity()), severity) + "  " + Lines.single(finding.title())
                    + screen.paint(Screen.Colour.QUIET, "  [" + finding.code() + "]"));
            screen.print("  seen:   " + text(finding.evidence()));
            screen.print("  advice: " + text(finding.advice()));
            screen.print("");
        }
        screen.print(
                findings.isEmpty()
                        ? screen.paint(Screen.Colour.GOOD, "All is well.")
                        : Lines.counted(count(findings, Severity.ERROR), "error") + ", "
                                + Lines.counted(count(findings, Severity.WARNING), "warning") + ", "
                                + count(findings, Severity.ADVICE) + " to know");
    }

    private String text(String text) {
        return Lines.wrapped(Lines.single(text), desk.screen().width(), "  advice: ".length());
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    private static Screen.Colour colour(Severity severity) {
        return switch (severity) {
            case ERROR -> Screen.Colour.BAD;
            case WARNING -> Screen.Colour.DOUBTFUL;
            case ADVICE -> Screen.Colour.STRONG;
        };
    }
}
