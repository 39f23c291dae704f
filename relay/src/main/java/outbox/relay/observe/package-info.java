/**
 * Observe: events and figures of the engine.
 *
 * <p>Takes events from every stage; gives them to listeners, of which one logs and one counts. Promises that a
 * listener which fails changes nothing. Never carries a payload, and never decides anything.
 */
@NullMarked
package outbox.relay.observe;

import org.jspecify.annotations.NullMarked;
