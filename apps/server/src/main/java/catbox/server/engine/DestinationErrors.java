package catbox.server.engine;

import java.util.regex.Pattern;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * Classifies the last error of a destination. An outcome carries its error as text, partly the broker's own, so patterns
 * tell the kinds apart. An error that matches none of them is reported as it is.
 */
enum DestinationErrors {
    CREDENTIALS(
            FindingCode.DESTINATION_CREDENTIALS_REFUSED,
            // Kafka and RabbitMQ; SQS; RabbitMQ's rights; Kafka's rights; HTTP.
            "refuses the user|credentials are refused|AccessDenied|ACCESS_REFUSED|this user (may not|lacks)"
                    + "|answered (401|403|407)\\b",
            "A destination refuses the login, or lacks a right",
            "Check user, password or token of the destination, and what it may do there. Waiting events are delivered"
                    + " once it may log in."),
    PLACE(
            FindingCode.DESTINATION_PLACE_MISSING,
            // Kafka; RabbitMQ's exchange, and a message that no queue takes; SQS; HTTP.
            "topic does not exist|NOT_FOUND - no |312 NO_ROUTE|NonExistentQueue|QueueDoesNotExist|answered (404|410)\\b",
            "A topic, exchange, queue or path is missing",
            "Create it, or correct the name in the destination or its route. Waiting events are delivered once it exists."),
    OTHER(
            FindingCode.DESTINATION_FAILING,
            "",
            "A destination fails",
            "Repair what the error says. The relay keeps trying.");

    /** The receiver's own text follows its status, and may say anything. */
    private static final Pattern STATUS = Pattern.compile("(answered \\S+).*", Pattern.DOTALL);

    private final FindingCode code;
    private final Pattern pattern;
    private final String title;
    private final String advice;

    DestinationErrors(FindingCode code, String pattern, String title, String advice) {
        this.code = code;
        this.pattern = Pattern.compile(pattern);
        this.title = title;
        this.advice = advice;
    }

    static DestinationErrors of(String error) {
        String withoutAnswer = STATUS.matcher(error).replaceFirst("$1");
        for (DestinationErrors kind : values()) {
            if (kind.pattern.matcher(withoutAnswer).find()) {
                return kind;
            }
        }
        return OTHER;
    }

    /** A known kind stops all deliveries, so it is an error; any other error may be due to a single event. */
    Finding finding(String evidence) {
        return this == OTHER
                ? Finding.warning(code, title, evidence, advice)
                : Finding.error(code, title, evidence, advice);
    }

    /** Its dead events do not wait for the repair, and other events may still arrive. */
    Finding findingForDeadEvents(String evidence) {
        return Finding.warning(code, title, evidence, "Repair it, then replay the dead events.");
    }
}
