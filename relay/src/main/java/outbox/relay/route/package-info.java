/** Routes choose the destinations of an event, and their weights. */
@NullMarked
package outbox.relay.route;

import org.jspecify.annotations.NullMarked;
