/**
 * The whole road, live: real PostgreSQL and Kafka, a catbox server and an order service as processes of their own, orders
 * placed over HTTP, and each event's way from its commit to a consumer told in the terminal.
 */
@NullMarked
package catbox.livedemo;

import org.jspecify.annotations.NullMarked;
