package catbox.server.engine;

import java.util.regex.Pattern;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * What a destination's last error says is wrong with it. Transports tell errors in words, some of them the broker's own,
 * so it is by words that they are told apart; what is in none of them is still told, with the error itself.
 */
enum DestinationErrors {
    CREDENTIALS(
            FindingCode.DESTINATION_CREDENTIALS_REFUSED,
            // Kafka and RabbitMQ; SQS; RabbitMQ's rights; Kafka's rights; HTTP.
            "refuses the user|credentials are refused|AccessDenied|ACCESS_REFUSED|this user (may not|lacks)"
                    + "|answered (401|403|407)\\b",
            "A destination refuses the login, or lacks a right",
            "Check user, password or token of the destination, and what it may do there. What waits is delivered once it"
                    + " is let in."),
    PLACE(
            FindingCode.DESTINATION_PLACE_MISSING,
            // Kafka; RabbitMQ's exchange, and a message that no queue takes; SQS; HTTP.
            "topic does not exist|NOT_FOUND - no |312 NO_ROUTE|NonExistentQueue|QueueDoesNotExist|answered (404|410)\\b",
            "A topic, exchange, queue or path is missing",
            "Create it, or correct the name in the destination or its route. What waits is delivered once it is there."),
    OTHER(
            FindingCode.DESTINATION_FAILING,
            "",
            "A destination fails",
            "Repair what the error says. The relay tries on by itself.");

    /** Behind a status stands what the receiver has sent, which may say anything. */
    private static final Pattern ANSWER = Pattern.compile("(answered \\S+).*", Pattern.DOTALL);

    private final FindingCode code;
    private final Pattern words;
    private final String title;
    private final String advice;

    DestinationErrors(FindingCode code, String words, String title, String advice) {
        this.code = code;
        this.words = Pattern.compile(words);
        this.title = title;
        this.advice = advice;
    }

    static DestinationErrors of(String error) {
        String ours = ANSWER.matcher(error).replaceFirst("$1");
        for (DestinationErrors trouble : values()) {
            if (trouble.words.matcher(ours).find()) {
                return trouble;
            }
        }
        return OTHER;
    }

    /** Nothing goes through it, so it is an error; of the other troubles one event may be the only cause. */
    Finding finding(String evidence) {
        return this == OTHER
                ? Finding.warning(code, title, evidence, advice)
                : Finding.error(code, title, evidence, advice);
    }

    /** Events that it was final for do not wait for its repair, and others may still arrive. */
    Finding findingOfTheDead(String evidence) {
        return Finding.warning(code, title, evidence, "Repair it, then replay what is dead.");
    }
}
