/** Leaves without knowledge of the outbox: time, identifiers, hashing, JSON and UTF-8. */
@NullMarked
package outbox.util;

import org.jspecify.annotations.NullMarked;
