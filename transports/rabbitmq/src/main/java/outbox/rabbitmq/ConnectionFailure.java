package outbox.rabbitmq;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.concurrent.TimeoutException;
import outbox.internal.Causes;

/** Describes connection failures for operators. */
final class ConnectionFailure {

    private ConnectionFailure() {}

    static String describe(Throwable failure) {
        for (Throwable cause : Causes.of(failure)) {
            if (cause instanceof AuthenticationFailureException
                    || cause instanceof PossibleAuthenticationFailureException) {
                return "the broker refuses the user or the password";
            }
            if (cause instanceof ShutdownSignalException end && end.getReason() != null) {
                return ChannelEnd.of(end).reason();
            }
        }
        Throwable root = Causes.root(failure);
        if (root instanceof TimeoutException && root.getMessage() == null) {
            return "no answer in time";
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
