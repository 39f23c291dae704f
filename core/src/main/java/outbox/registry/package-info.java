/** Which listeners receive which events. Listeners may come and go while events are being delivered. */
@NullMarked
package outbox.registry;

import org.jspecify.annotations.NullMarked;
