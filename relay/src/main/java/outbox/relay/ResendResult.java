package outbox.relay;

import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Relay#resend}.
 *
 * @param acknowledged how many events the destination has acknowledged, from the first on
 * @param failure why the next one was not acknowledged; null when all were
 */
public record ResendResult(int acknowledged, @Nullable String failure) {}
