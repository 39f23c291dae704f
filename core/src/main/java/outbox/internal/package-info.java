/**
 * Helpers that several of our modules share: hashing, identifiers, text, the settle rule, and claims.
 *
 * <p>Exported to our own modules by name. Applications and other implementers cannot see it, and it may change at any
 * time.
 */
@NullMarked
package outbox.internal;

import org.jspecify.annotations.NullMarked;
