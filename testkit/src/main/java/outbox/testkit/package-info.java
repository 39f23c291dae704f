/**
 * What the tests of a store, of the engine and of an application need: time that moves by hand ({@link
 * outbox.testkit.ManualTime}), a store without a database ({@link outbox.testkit.InMemoryStore}), the promises
 * that every store keeps ({@link outbox.testkit.StoreContract}), and destinations that deliver nowhere ({@link
 * outbox.testkit.RecordingDestination}, {@link outbox.testkit.NoopDestination}).
 */
@NullMarked
package outbox.testkit;

import org.jspecify.annotations.NullMarked;
