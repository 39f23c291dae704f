/**
 * What a relay needs of the database: partitions and their horizon, the registry of nodes, pauses.
 */
@NullMarked
package outbox.jdbc.internal.relay;

import org.jspecify.annotations.NullMarked;
