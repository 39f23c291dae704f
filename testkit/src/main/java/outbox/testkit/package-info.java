/**
 * What the tests of a store, of the engine and of an application need: time that moves by hand ({@link
 * outbox.testkit.ManualTime}), a store without a database ({@link outbox.testkit.InMemoryStore}), and the promises
 * that every store keeps ({@link outbox.testkit.StoreContract}).
 */
@NullMarked
package outbox.testkit;

import org.jspecify.annotations.NullMarked;
