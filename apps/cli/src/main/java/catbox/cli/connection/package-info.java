/** Opens an outbox, through a server's API or directly in its database. */
@NullMarked
package catbox.cli.connection;

import org.jspecify.annotations.NullMarked;
