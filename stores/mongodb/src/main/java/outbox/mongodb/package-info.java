/**
 * The outbox in a MongoDB replica set.
 *
 * <p>Takes: the application's client and its sessions' transactions. Gives: the ports of {@code outbox.spi}, each in a
 * class named after it. Promises: what every store promises, by the server's clock alone. Never does: begin, commit or
 * end a transaction of the application's, or read anything but the primary.
 *
 * <p>How to read it: {@link outbox.mongodb.internal.event.EventDocuments} shows a document, {@link outbox.mongodb.internal.event.Seq} tells how
 * documents get their order, and {@link outbox.mongodb.internal.event.SettleTransaction} how a late owner is fenced off.
 */
@NullMarked
package outbox.mongodb;

import org.jspecify.annotations.NullMarked;
