/** The server, which runs relays as a program. {@link catbox.server.CatboxServer} starts it. */
@NullMarked
package catbox.server;

import org.jspecify.annotations.NullMarked;
