/**
 * Shows delivery end to end, live: real PostgreSQL and Kafka, a catbox server and an order service in separate
 * processes, orders placed over HTTP, and each event's delivery from its commit to a consumer, printed in the terminal.
 */
@NullMarked
package catbox.livedemo;

import org.jspecify.annotations.NullMarked;
