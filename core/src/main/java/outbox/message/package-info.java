/** Writes events as messages for a broker or an API: headers, body and address. */
@NullMarked
package outbox.message;

import org.jspecify.annotations.NullMarked;
