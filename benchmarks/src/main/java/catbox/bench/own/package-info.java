/** The contenders that need only Catbox itself, or no library: our relay, and hand-written code. */
@NullMarked
package catbox.bench.own;

import org.jspecify.annotations.NullMarked;
