package catbox.console;

import org.jspecify.annotations.Nullable;
import outbox.spi.operations.Finding;

/**
 * A finding, with the page on which one sees more of it or does something about it.
 *
 * @param page what the page is called; null when none is about it
 */
public record Diagnosis(Finding finding, @Nullable String page, String link) {

    static Diagnosis of(PageContext shell, Finding finding) {
        return switch (finding.code()) {
            case "dead-events", "events-dying" -> new Diagnosis(finding, "Dead events", shell.at("/dead"));
            case "key-stuck", "oldest-pending", "never-relayed" ->
                new Diagnosis(finding, "Events that wait", shell.at("/events", "state", "pending"));
            case "no-node",
                    "all-drained",
                    "heartbeat-late",
                    "node-expired",
                    "versions-differ",
                    "partitions-changing",
                    "partition-without-owner" -> new Diagnosis(finding, "Cluster", shell.at("/cluster"));
            case "source-on-hold", "held-for-long" -> new Diagnosis(finding, "Holds", shell.at("/holds"));
            case "breaker-open",
                    "destination-credentials-refused",
                    "destination-place-missing",
                    "destination-failing" -> new Diagnosis(finding, "Destinations", shell.at("/destinations"));
            case "no-route" -> new Diagnosis(finding, "Routes", shell.at("/routes"));
            default -> new Diagnosis(finding, null, "");
        };
    }

    /** The colour of its severity. */
    public String tone() {
        return switch (finding.severity()) {
            case ERROR -> "dead";
            case WARNING -> "retry";
            case ADVICE -> "new";
        };
    }
}
