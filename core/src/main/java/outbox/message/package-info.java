/**
 * What an event looks like on its way to a broker or an API: which headers, which body, which address. It takes
 * deliveries and gives messages; transports put them into what their client takes. It sends nothing.
 */
@NullMarked
package outbox.message;

import org.jspecify.annotations.NullMarked;
