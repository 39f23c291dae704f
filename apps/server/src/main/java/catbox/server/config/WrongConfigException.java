package catbox.server.config;

import java.util.List;

/** Thrown for a configuration that is wrong, before anything is started or changed because of it. */
public final class WrongConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> errors;

    public WrongConfigException(String file, List<String> errors) {
        super(file + " is wrong: " + String.join("; ", errors));
        this.errors = List.copyOf(errors);
    }

    /** Everything that is wrong, with the line of each error that is in one. */
    public List<String> errors() {
        return errors;
    }
}
