/** io.namastack namastack-outbox as a contender. */
@NullMarked
package catbox.bench.namastack;

import org.jspecify.annotations.NullMarked;
