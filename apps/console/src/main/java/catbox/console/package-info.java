/**
 * The pages of operators. Takes {@link catbox.console.Sources}, which the server implements; gives HTML. Promises that every
 * page works without scripts, reads a bounded number of rows, and shows no button that its reader may not use. Knows nothing
 * of how users log in, nor of where events are stored.
 */
@NullMarked
package catbox.console;

import org.jspecify.annotations.NullMarked;
