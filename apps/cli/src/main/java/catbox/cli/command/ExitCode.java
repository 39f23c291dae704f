package catbox.cli.command;

/** How a command ends, for scripts. */
public final class ExitCode {

    public static final int OK = 0;
    /** It worked, and what it found is not right: nothing was found, or the doctor found errors. */
    public static final int WRONG = 1;
    /** It was called wrongly, or not confirmed. */
    public static final int USAGE = 2;
    /** The server or the database cannot be reached. */
    public static final int UNREACHABLE = 3;
    /** Who asked may not. */
    public static final int REFUSED = 4;
    /** It makes no sense here, or the other side failed. */
    public static final int NOT_POSSIBLE = 5;
    /** Ctrl-C, as shells count it. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
