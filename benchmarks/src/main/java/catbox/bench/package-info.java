/** Measures the cost of the outbox on a real database. Only ratios within one run are comparable. */
@NullMarked
package catbox.bench;

import org.jspecify.annotations.NullMarked;
