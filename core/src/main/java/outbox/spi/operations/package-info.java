/**
 * The ports and records of operator tools: searching, changing and explaining what is stored.
 *
 * <p>Takes a question or a change with its author; gives records that pages and commands show. Every change is audited.
 * Never part of delivering an event.
 */
@NullMarked
package outbox.spi.operations;

import org.jspecify.annotations.NullMarked;
