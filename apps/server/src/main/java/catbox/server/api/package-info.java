/**
 * The operations over HTTP, one path for each. Takes requests of authenticated users, gives JSON or a problem document.
 * Every operation goes through {@link outbox.admin.OutboxAdmin} with the rights of its user; nothing here reads a table.
 */
@NullMarked
package catbox.server.api;

import org.jspecify.annotations.NullMarked;
