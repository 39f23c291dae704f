/**
 * One side of a small protocol: the benchmark starts each contender in a JVM of its own, writes commands to its standard
 * input, one per line, and reads JSON lines from its standard output. See {@link catbox.bench.contender.Host}.
 */
@NullMarked
package catbox.bench.contender;

import org.jspecify.annotations.NullMarked;
