/** The commands. They run the operations of an {@link outbox.admin.OutboxAdmin}, and print the results. */
@NullMarked
package catbox.cli.command;

import org.jspecify.annotations.NullMarked;
