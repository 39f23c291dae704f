/** com.gruelbox transaction-outbox as a contender. */
@NullMarked
package catbox.bench.gruelbox;

import org.jspecify.annotations.NullMarked;
