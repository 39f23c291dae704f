package catbox.cli.command;

/** Exit codes, for scripts. */
public final class ExitCode {

    public static final int OK = 0;
    /** The command worked, but found nothing, or a problem such as an error of the doctor. */
    public static final int WRONG = 1;
    /** The arguments are wrong, or the command was not confirmed. */
    public static final int USAGE = 2;
    /** The server or the database cannot be reached. */
    public static final int UNREACHABLE = 3;
    /** The user has no permission. */
    public static final int REFUSED = 4;
    /** The command is not possible here, or the server or database failed. */
    public static final int NOT_POSSIBLE = 5;
    /** Ctrl-C; shells use the same number. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
