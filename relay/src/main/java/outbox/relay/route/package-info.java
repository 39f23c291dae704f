/** Routes: which destination an event goes to, and with which weight. */
@NullMarked
package outbox.relay.route;

import org.jspecify.annotations.NullMarked;
