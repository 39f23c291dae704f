/**
 * The chaos run: a real database, relays and writers in processes of their own, and somebody who kills, freezes, adds
 * and removes them while events are written. Afterwards the record of what was delivered is held against what was
 * committed.
 *
 * <p>{@link catbox.chaos.ChaosRun} puts it together, {@link catbox.chaos.Disturber} does the harm, {@link
 * catbox.chaos.Checker} judges.
 */
@NullMarked
package catbox.chaos;

import org.jspecify.annotations.NullMarked;
