/**
 * Real servers for tests and demos, started from binaries that come as ordinary dependencies.
 *
 * <p>Takes: nothing but a class path. Gives: {@link catbox.devservices.DevServer}s on loopback, with their durable
 * settings on, that can be killed, frozen and started again on the same data. Promises: no server and no data folder
 * outlives the JVM that started it, however that JVM ends. Never does: install anything, need root, or listen on
 * anything but 127.0.0.1.
 *
 * <p>How to read it: {@link catbox.devservices.PostgresServer} and its siblings say how one kind of server is made
 * ready; {@code ChildServer} runs any of them; {@code ServerFolder} is the place a server lives in and the
 * {@code Watchdog} clears that place when the JVM is gone; {@code BinaryCache} keeps what was unpacked.
 */
@NullMarked
package catbox.devservices;

import org.jspecify.annotations.NullMarked;
