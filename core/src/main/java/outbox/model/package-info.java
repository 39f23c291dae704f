/** The records that the stages hand to each other: the stored event, its claim, its outcome, its settlement. */
@NullMarked
package outbox.model;

import org.jspecify.annotations.NullMarked;
