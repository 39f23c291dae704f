package catbox.server.engine;

import outbox.OutboxException;
import outbox.internal.ErrorText;

/** Describes failures for operators. The messages of our own exceptions need no class name in front of them. */
public final class Problem {

    private Problem() {}

    public static String describe(Throwable failure) {
        boolean ours = failure instanceof IllegalArgumentException
                || failure.getClass().getPackageName().equals(OutboxException.class.getPackageName());
        return ours && failure.getMessage() != null ? failure.getMessage() : ErrorText.of(failure);
    }
}
