/** The server, which runs relays as a program. {@link catbox.server.CatboxServer} has its main method. */
@NullMarked
package catbox.server;

import org.jspecify.annotations.NullMarked;
