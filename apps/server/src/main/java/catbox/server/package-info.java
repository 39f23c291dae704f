/** The server: relays as a program. {@link catbox.server.CatboxServer} is where it begins. */
@NullMarked
package catbox.server;

import org.jspecify.annotations.NullMarked;
