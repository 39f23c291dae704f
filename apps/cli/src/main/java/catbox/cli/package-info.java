/**
 * The command line. It reads arguments, the environment and a terminal, prints text or JSON, and ends with an exit code.
 * It knows operations only as {@link outbox.admin.OutboxAdmin}.
 */
@NullMarked
package catbox.cli;

import org.jspecify.annotations.NullMarked;
