package outbox.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import outbox.LayoutMismatchException;
import outbox.PoolTooSmallException;
import outbox.SchemaException;

/** Describes in a few lines, instead of a stack trace, why the outbox cannot start and how to correct it. */
final class OutboxFailureAnalyzer implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String action = action(cause);
            if (action != null) {
                return new FailureAnalysis("The outbox cannot start: " + cause.getMessage(), action, cause);
            }
        }
        return null;
    }

    private static @Nullable String action(Throwable cause) {
        return switch (cause) {
            case InvalidOutboxPropertiesException e -> "Correct the properties that are named above.";
            case SchemaException e ->
                "If it is newer, use the newer library. If something is missing or older, set outbox.schema=install to"
                        + " create it and bring it up to date at start, or apply the SQL of SchemaInstaller.print(), or"
                        + " the commands of MongoSchema.print(), with your migration tool.";
            case LayoutMismatchException e ->
                "Set outbox.delivery, outbox.relay.claim-strategy and outbox.relay.partitions as the other instances have them, or"
                        + " stop all instances and change the stored layout.";
            case PoolTooSmallException e ->
                "Raise spring.datasource.hikari.maximum-pool-size, or lower outbox.dispatcher.workers or"
                        + " outbox.relay.workers.";
            default -> null;
        };
    }
}
