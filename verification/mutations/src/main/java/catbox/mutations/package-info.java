/**
 * Faults that are built into the real sources, one at a time, and the tests that have to notice them.
 *
 * <p>A {@link catbox.mutations.Mutation} is a textual change of a source and the name of what catches it: seeds of the
 * simulator, or a test of a module. {@link catbox.mutations.Mutations} lists all of them. {@code ./catbox mutate} applies
 * them one after the other and reports; the gate applies those that the simulator catches within few seeds.
 */
@NullMarked
package catbox.mutations;

import org.jspecify.annotations.NullMarked;
