package catbox.server.config;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

/** Collects everything that is wrong with a file. */
final class ConfigErrors {

    private record ConfigError(int line, String text) {

        String described() {
            return (line > 0 ? "line " + line + ": " : "") + text;
        }
    }

    private final Set<ConfigError> all = new LinkedHashSet<>();

    /**
     * Adds an error.
     *
     * @param line counted from 1; 0 when the error is not in a line
     */
    void add(int line, String text) {
        all.add(new ConfigError(line, text));
    }

    /**
     * Throws all errors together, in the order of their lines, if there are any.
     *
     * @throws WrongConfigException with all of them
     */
    void throwIfAny(String file) {
        if (!all.isEmpty()) {
            throw new WrongConfigException(
                    file,
                    all.stream()
                            .sorted(Comparator.comparingInt(ConfigError::line))
                            .map(ConfigError::described)
                            .toList());
        }
    }
}
