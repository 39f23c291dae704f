package catbox.mutations;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A change of one source.
 *
 * @param file relative to a folder of sources, such as {@code outbox/relay/SlotLoop.java}
 * @param find what has to be there exactly once; how it is broken into lines does not matter
 */
record Edit(String file, String find, String replacement) {

    /** The source after the change. */
    String apply(String source) {
        Pattern pattern = Pattern.compile(
                Arrays.stream(find.split(" ")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
        long found = pattern.matcher(source).results().count();
        if (found != 1) {
            throw new DoesNotFit(
                    file + " contains the text to be changed " + found + " times instead of once: \"" + find
                            + "\". The source has changed since this mutation was written: adapt its text, or remove it if"
                            + " the fault is not possible any more");
        }
        return pattern.matcher(source).replaceFirst(Matcher.quoteReplacement(replacement));
    }

    /** The source is not what the mutation was written for. */
    static final class DoesNotFit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DoesNotFit(String message) {
            super(message);
        }
    }
}
