/** The contenders that need nothing but Catbox itself, or nothing at all: our relay, and what people write by hand. */
@NullMarked
package catbox.bench.own;

import org.jspecify.annotations.NullMarked;
