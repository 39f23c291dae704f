package outbox.relay.deliver;

import outbox.model.Outcome;

/**
 * What became of one attempt.
 *
 * @param counts whether it counts as an attempt. One that a half-open circuit breaker let through to try, and that
 *     failed, does not: the destination was down, and the event is not to suffer for it.
 * @param atNanos when the answer came, by the clock that only measures
 */
public record Completion<T>(T ticket, String destination, Outcome outcome, boolean counts, long atNanos) {}
