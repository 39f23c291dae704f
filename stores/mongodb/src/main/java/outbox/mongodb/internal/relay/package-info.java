/**
 * What a relay needs of MongoDB: partitions and their fence, the registry of nodes, pauses.
 */
@NullMarked
package outbox.mongodb.internal.relay;

import org.jspecify.annotations.NullMarked;
