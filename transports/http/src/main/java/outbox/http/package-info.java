/**
 * Delivers to HTTP APIs. It takes deliveries, sends requests, and converts each response to outcomes. A batch is one
 * POST of a JSON array of payloads. In single mode each event is a POST of its own, optionally signed. It follows no
 * redirect, connects to no unchecked address, and never retries.
 */
@NullMarked
package outbox.http;

import org.jspecify.annotations.NullMarked;
