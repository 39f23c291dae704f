package catbox.console;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.Finding;

/**
 * A finding with a link to the page about it.
 *
 * @param page the title of the page; null if there is none
 */
public record FindingView(Finding finding, @Nullable String page, String link) {

    static FindingView of(PageContext shell, Finding finding) {
        return switch (finding.code()) {
            case "dead-events", "events-dying" -> new FindingView(finding, "Dead events", shell.at("/dead"));
            case "key-stuck", "oldest-pending", "never-relayed" ->
                new FindingView(finding, "Pending events", shell.at("/events", "state", "pending"));
            case "no-node",
                    "all-drained",
                    "heartbeat-late",
                    "node-expired",
                    "versions-differ",
                    "partitions-changing",
                    "partition-without-owner" -> new FindingView(finding, "Cluster", shell.at("/cluster"));
            case "source-on-hold", "held-for-long" -> new FindingView(finding, "Pauses", shell.at("/pauses"));
            case "destination-down",
                    "destination-credentials-refused",
                    "destination-place-missing",
                    "destination-failing",
                    "destination-not-contacted",
                    "destination-address-unavailable" ->
                new FindingView(finding, "Destinations", shell.at("/destinations"));
            case "no-route" -> new FindingView(finding, "Routes", shell.at("/routes"));
            default -> new FindingView(finding, null, "");
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

    public String severity() {
        return finding.severity() == Finding.Severity.ADVICE
                ? "info"
                : finding.severity().name().toLowerCase(Locale.ROOT);
    }
}
