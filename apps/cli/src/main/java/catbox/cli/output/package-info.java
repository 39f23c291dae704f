/** Prints to people and programs: tables, times, progress and JSON on a terminal, in a file or in a pipe. */
@NullMarked
package catbox.cli.output;

import org.jspecify.annotations.NullMarked;
