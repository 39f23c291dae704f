package catbox.cli.command;

import catbox.cli.connection.Schema;
import catbox.cli.connection.TargetException;
import catbox.cli.output.Lines;
import catbox.cli.output.Screen;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import java.sql.SQLException;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.SchemaException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints why a command failed, in one sentence, and returns the exit code. */
record ErrorPrinter(Screen screen) implements IExecutionExceptionHandler, IParameterExceptionHandler {

    private static final int CAUSES_MAX = 10;

    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        screen.say(Lines.plain(String.valueOf(e.getMessage())));
        UnmatchedArgumentException.printSuggestions(e, e.getCommandLine().getErr());
        screen.say("see \"" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help\"");
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine line, @Nullable ParseResult parsed) throws Exception {
        if (e instanceof ParameterException wrong) {
            return handleParseException(wrong, new String[0]);
        }
        int code = code(e);
        screen.say(Lines.plain(
                e instanceof SchemaException wrong ? Schema.advice(wrong) : String.valueOf(e.getMessage())));
        return code;
    }

    // A defect has no code: its stack trace is printed.
    private static int code(Exception e) throws Exception {
        return switch (e) {
            case IllegalArgumentException wrong -> ExitCode.USAGE;
            case NoSuchElementException missing -> ExitCode.WRONG;
            case CancellationException no -> ExitCode.WRONG;
            case TargetException failed ->
                switch (failed.kind()) {
                    case UNREACHABLE, NOT_CONNECTED -> ExitCode.UNREACHABLE;
                    case REFUSED -> ExitCode.REFUSED;
                    case NOT_POSSIBLE -> ExitCode.NOT_POSSIBLE;
                };
            case OutboxException failed -> database(failed);
            default -> throw e;
        };
    }

    // SQL states of class 08 concern the connection, those of class 28 the login.
    private static int database(OutboxException failed) {
        Throwable cause = failed.getCause();
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            String state = cause instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "";
            if (state.startsWith("08")
                    || cause instanceof MongoSocketException
                    || cause instanceof MongoTimeoutException) {
                return ExitCode.UNREACHABLE;
            }
            if (state.startsWith("28") || cause instanceof MongoSecurityException) {
                return ExitCode.REFUSED;
            }
            cause = cause.getCause();
        }
        return ExitCode.NOT_POSSIBLE;
    }
}
