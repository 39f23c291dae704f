package outbox.relay;

import org.jspecify.annotations.Nullable;

/**
 * How far {@link Relay#resend} came.
 *
 * @param acknowledged how many events the destination has confirmed, from the first on
 * @param failure why the next one was not; null when all were
 */
public record ResendResult(int acknowledged, @Nullable String failure) {}
