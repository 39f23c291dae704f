/** One class for each command. They ask an {@link outbox.admin.OutboxAdmin} and show what it answers. */
@NullMarked
package catbox.cli.command;

import org.jspecify.annotations.NullMarked;
