/**
 * The operations over HTTP, one path for each. Takes requests of people who are known, gives JSON or a problem document.
 * Every operation goes through {@link outbox.admin.OutboxAdmin} in the name of who asks; nothing here reads a table.
 */
@NullMarked
package catbox.server.api;

import org.jspecify.annotations.NullMarked;
