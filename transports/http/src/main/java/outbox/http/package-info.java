/**
 * Delivers events to HTTP APIs: it takes deliveries, sends requests, and gives the outcome that follows from each answer.
 * A batch is one POST of a JSON array of payloads; in single mode each event is a POST of its own, signed on request.
 * It follows no redirect, connects to no address that it has not checked, and owns no retry.
 */
@NullMarked
package outbox.http;

import org.jspecify.annotations.NullMarked;
