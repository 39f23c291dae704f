/**
 * Reports the events of a relay.
 *
 * <p>Takes events from every stage; passes them to listeners, of which one logs and one counts. Promises that a failing
 * listener changes nothing. Never carries a payload, and never decides anything.
 */
@NullMarked
package outbox.relay.observe;

import org.jspecify.annotations.NullMarked;
