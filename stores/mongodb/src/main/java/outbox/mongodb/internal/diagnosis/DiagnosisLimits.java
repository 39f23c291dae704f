package outbox.mongodb.internal.diagnosis;

import java.time.Duration;

/**
 * The limits from which on a diagnosis reports a finding.
 *
 * @param transactionAge of an open transaction; by default the server ends one after a minute
 * @param clockSkew between this machine's clock and the server's
 * @param oplogWindow how far back the oplog has to reach
 * @param oplogFilled the filled share of the oplog from which on its window is meaningful
 * @param expiryDelay how late the server may delete expired events
 */
public record DiagnosisLimits(
        Duration transactionAge, Duration clockSkew, Duration oplogWindow, double oplogFilled, Duration expiryDelay) {

    public static final DiagnosisLimits DEFAULTS = new DiagnosisLimits(
            Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofHours(1), 0.9, Duration.ofMinutes(30));
}
