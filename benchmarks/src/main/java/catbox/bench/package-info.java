/** What the outbox costs, measured on a real database. Ratios within one run are what counts. */
@NullMarked
package catbox.bench;

import org.jspecify.annotations.NullMarked;
