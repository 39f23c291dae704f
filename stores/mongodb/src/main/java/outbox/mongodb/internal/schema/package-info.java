/**
 * Indexes, validators, and the check that the collections are those of this version.
 */
@NullMarked
package outbox.mongodb.internal.schema;

import org.jspecify.annotations.NullMarked;
