/**
 * Runs real servers for tests and demos, from binaries that are ordinary dependencies.
 *
 * <p>It needs only a class path. It gives {@link catbox.devservices.DevServer}s on loopback, with their durable
 * settings on, that can be killed, frozen and restarted on the same data. It promises that no server and no data folder
 * outlives the JVM that started it, however that JVM ends. It never installs anything, needs root, or listens on
 * anything but 127.0.0.1.
 *
 * <p>How to read it: {@link catbox.devservices.PostgresServer} and its siblings prepare one kind of server. {@code
 * ChildServer} runs any of them. A server lives in a {@code ServerFolder}, and the {@code Watchdog} deletes that folder
 * when the JVM has ended. {@code BinaryCache} keeps unpacked binaries.
 */
@NullMarked
package catbox.devservices;

import org.jspecify.annotations.NullMarked;
