/** Debezium's embedded engine with its outbox event router as a contender. */
@NullMarked
package catbox.bench.debezium;

import org.jspecify.annotations.NullMarked;
