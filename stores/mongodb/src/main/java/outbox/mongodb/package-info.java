/**
 * The outbox in a MongoDB replica set.
 *
 * <p>It takes the application's client and its sessions' transactions, and gives the ports of {@code outbox.spi}, each
 * in a class named after it. It promises what every store promises, by the server's clock alone. It never begins,
 * commits or ends a transaction of the application, and never reads from a secondary.
 *
 * <p>How to read it: {@link outbox.mongodb.internal.event.EventDocuments} shows a document,
 * {@link outbox.mongodb.internal.event.Seq} explains how documents get their order, and
 * {@link outbox.mongodb.internal.event.SettleTransaction} how a former owner is fenced off.
 */
@NullMarked
package outbox.mongodb;

import org.jspecify.annotations.NullMarked;
