/**
 * The contender's side of a small protocol. The benchmark starts each contender in a separate JVM, writes commands to
 * its standard input, one per line, and reads JSON lines from its standard output. See {@link
 * catbox.bench.contender.Host}.
 */
@NullMarked
package catbox.bench.contender;

import org.jspecify.annotations.NullMarked;
