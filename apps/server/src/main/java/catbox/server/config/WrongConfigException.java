package catbox.server.config;

import java.util.List;

/** The configuration is wrong; nothing was started or changed because of it. */
public final class WrongConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> complaints;

    public WrongConfigException(String file, List<String> complaints) {
        super(file + " is wrong: " + String.join("; ", complaints));
        this.complaints = List.copyOf(complaints);
    }

    /** Everything that is wrong, each with its line where one is to blame. */
    public List<String> complaints() {
        return complaints;
    }
}
