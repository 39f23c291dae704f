package catbox.console;

import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation;
import outbox.admin.OutboxAdmin;
import outbox.spi.operations.BoundedCount;

/** The console's port to its server. Everything is done with the rights of the request's user. */
public interface Sources {

    /** All of them, in the order of the server's file. */
    List<State> states();

    /**
     * The operations of a source, with the rights of the request's user.
     *
     * @throws java.util.NoSuchElementException if there is no such source
     * @throws outbox.OutboxException if it is not connected
     */
    OutboxAdmin admin(String source);

    /** The request's user. Every page but the one for logging in needs a login. */
    Rights rights();

    /** How users can log in. */
    Logins logins();

    /** The figures of a source for each second of the last minutes, oldest first; empty if unknown. */
    List<Pulse> pulses(String source);

    /**
     * A source of the server's configuration.
     *
     * @param state connected, connecting, disabled or stopped
     * @param problem why it is not connected; null if it is, or if the reason is unknown
     */
    record State(String name, String state, @Nullable String problem) {

        public boolean connected() {
            return state.equals("connected");
        }
    }

    /**
     * A user, and what the user may do.
     *
     * @param description the role, with the right to read payloads where there is one
     */
    record Rights(String name, String description, Predicate<Operation> permitted) {
        public boolean may(Operation operation) {
            return permitted.test(operation);
        }
    }

    /**
     * How users can log in.
     *
     * @param users whether there are users with passwords
     * @param oidc whether there is an OpenID provider, at {@code /oauth2/authorization/oidc}
     */
    record Logins(boolean users, boolean oidc) {}

    /**
     * One second of a source, as {@code /api/stream} also has it.
     *
     * @param latencyP50Millis null if nothing was delivered
     * @param pending null if unknown, like all that follows
     * @param oldestPendingSeconds 0 if nothing is pending
     */
    record Pulse(
            Instant at,
            double deliveredPerSecond,
            double failedPerSecond,
            @Nullable Double latencyP50Millis,
            @Nullable Double latencyP99Millis,
            @Nullable BoundedCount pending,
            @Nullable Double oldestPendingSeconds,
            @Nullable BoundedCount dead) {}
}
