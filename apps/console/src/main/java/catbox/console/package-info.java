/**
 * The pages on which operators see and do. Takes {@link catbox.console.Sources}, which the server implements; gives
 * HTML. Promises that every page is whole without scripts, costs a bounded number of looks, and shows nobody a button
 * that would refuse him. Knows nothing of how people log in, nor of where events are stored.
 */
@NullMarked
package catbox.console;

import org.jspecify.annotations.NullMarked;
