/** Shows the outbox in one second: an order and its event, on H2, without Spring. */
@NullMarked
package catbox.demo;

import org.jspecify.annotations.NullMarked;
