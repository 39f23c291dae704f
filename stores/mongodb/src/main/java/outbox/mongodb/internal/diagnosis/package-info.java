/**
 * Checks that find what is wrong with a replica set, its collections, its rights and its events. They only read.
 */
@NullMarked
package outbox.mongodb.internal.diagnosis;

import org.jspecify.annotations.NullMarked;
