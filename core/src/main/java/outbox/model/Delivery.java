package outbox.model;

import outbox.EventEnvelope;

/**
 * One attempt at one event, as a destination is given it.
 *
 * @param attempt counted from 1
 */
public record Delivery(EventEnvelope event, int attempt) {}
