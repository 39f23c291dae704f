/** Tries every connection of a configuration and says what is wrong, without relaying anything. */
@NullMarked
package catbox.server.check;

import org.jspecify.annotations.NullMarked;
