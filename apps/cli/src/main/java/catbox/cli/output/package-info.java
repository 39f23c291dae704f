/** What people and programs read: tables, times, progress, JSON, and the terminal that it goes to. */
@NullMarked
package catbox.cli.output;

import org.jspecify.annotations.NullMarked;
