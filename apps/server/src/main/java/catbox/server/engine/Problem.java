package catbox.server.engine;

import outbox.OutboxException;
import outbox.internal.ErrorText;

/** What is wrong, in words for an operator: ours say it themselves, those of others are named too. */
public final class Problem {

    private Problem() {}

    public static String words(Throwable failure) {
        boolean ours = failure instanceof IllegalArgumentException
                || failure.getClass().getPackageName().equals(OutboxException.class.getPackageName());
        return ours && failure.getMessage() != null ? failure.getMessage() : ErrorText.of(failure);
    }
}
