/** Contracts of stores and transports that need a running relay. The testkit, which does not know the relay, has the others. */
@NullMarked
package catbox.contract;

import org.jspecify.annotations.NullMarked;
