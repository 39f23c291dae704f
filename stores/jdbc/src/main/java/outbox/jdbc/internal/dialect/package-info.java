/**
 * What differs between databases. No other package knows which database it runs on.
 */
@NullMarked
package outbox.jdbc.internal.dialect;

import org.jspecify.annotations.NullMarked;
