/** JSON, without knowledge of the outbox. */
@NullMarked
package outbox.util;

import org.jspecify.annotations.NullMarked;
