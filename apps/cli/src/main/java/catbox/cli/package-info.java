/**
 * The command line: its commands as one tree, and what their ends mean as exit codes. Takes arguments, environment and
 * a terminal; gives text or JSON. Knows operations only as {@link outbox.admin.OutboxAdmin}.
 */
@NullMarked
package catbox.cli;

import org.jspecify.annotations.NullMarked;
