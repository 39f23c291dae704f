/**
 * What an application touches: it builds an {@link outbox.EventEnvelope}, publishes it through {@link
 * outbox.OutboxClient} inside its own transaction, and reacts to it in an {@link outbox.EventListener}.
 *
 * <p>An event is published, stored, claimed, ordered, delivered and settled. This package is the first of
 * the six; {@code outbox.spi} has the ports behind the others.
 */
@NullMarked
package outbox;

import org.jspecify.annotations.NullMarked;
