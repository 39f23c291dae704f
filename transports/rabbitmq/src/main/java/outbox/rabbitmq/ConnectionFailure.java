package outbox.rabbitmq;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.concurrent.TimeoutException;

/** Describes connection failures for operators. */
final class ConnectionFailure {

    private static final int DEPTH_MAX = 50;

    private ConnectionFailure() {}

    static String describe(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            if (root instanceof AuthenticationFailureException
                    || root instanceof PossibleAuthenticationFailureException) {
                return "the broker refuses the user or the password";
            }
            if (root instanceof ShutdownSignalException end && end.getReason() != null) {
                return ChannelEnd.of(end).reason();
            }
            if (root.getCause() == null) {
                break;
            }
            root = root.getCause();
        }
        if (root instanceof TimeoutException && root.getMessage() == null) {
            return "no answer in time";
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
