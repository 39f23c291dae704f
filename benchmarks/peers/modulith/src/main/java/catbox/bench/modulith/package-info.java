/** Spring Modulith's event publication registry as a contender. */
@NullMarked
package catbox.bench.modulith;

import org.jspecify.annotations.NullMarked;
