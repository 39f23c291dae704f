package outbox.mongodb.internal.diagnosis;

import java.time.Duration;

/**
 * From when on something is worth telling.
 *
 * @param transactionAge of a transaction that stays open; the server ends one after a minute, unless told otherwise
 * @param clockSkew between this machine's clock and the server's
 * @param oplogWindow how long back the oplog has to reach
 * @param oplogFilled how much of its size the oplog must fill before its window says anything
 * @param expiryDelay how long the server may leave what has expired
 */
public record DiagnosisLimits(
        Duration transactionAge, Duration clockSkew, Duration oplogWindow, double oplogFilled, Duration expiryDelay) {

    public static final DiagnosisLimits DEFAULTS = new DiagnosisLimits(
            Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofHours(1), 0.9, Duration.ofMinutes(30));
}
