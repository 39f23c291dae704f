/**
 * The driver: collections, time-outs, and what its exceptions mean to the outbox.
 */
@NullMarked
package outbox.mongodb.internal.driver;

import org.jspecify.annotations.NullMarked;
