package catbox.console;

import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation;
import outbox.admin.OutboxAdmin;
import outbox.spi.operations.BoundedCount;

/** What the console needs of the server around it. Everything is asked in the name of who makes the request. */
public interface Sources {

    /** All of them, in the order of the server's file. */
    List<State> states();

    /**
     * What can be seen and done of a source by who asks, and no more than he may.
     *
     * @throws java.util.NoSuchElementException when there is no such source
     * @throws outbox.OutboxException when it is not connected
     */
    OutboxAdmin admin(String source);

    /** Who asks. Nobody gets to a page, but to that for logging in, without having logged in. */
    Rights rights();

    /** How one can log in here. */
    Logins logins();

    /** How a source went in the last minutes, once a second, oldest first; empty when nothing is known. */
    List<Pulse> pulses(String source);

    /**
     * A source of the server's file.
     *
     * @param state connected, connecting, disabled or stopped
     * @param problem why it is not connected; null when it is, or nobody knows
     */
    record State(String name, String state, @Nullable String problem) {

        public boolean connected() {
            return state.equals("connected");
        }
    }

    /**
     * Who asks, and what is permitted.
     *
     * @param inWords the role in a word, with the right to read payloads where there is one
     */
    record Rights(String name, String inWords, Predicate<Operation> permitted) {
        public boolean may(Operation operation) {
            return permitted.test(operation);
        }
    }

    /**
     * The ways to log in.
     *
     * @param users whether there are users with passwords
     * @param oidc whether there is an OpenID provider, at {@code /oauth2/authorization/oidc}
     */
    record Logins(boolean users, boolean oidc) {}

    /**
     * One second of a source, as {@code /api/stream} also has it.
     *
     * @param latencyP50Millis null when nothing was delivered
     * @param pending null when it is not known, as all that follows
     * @param oldestPendingSeconds 0 when nothing is pending
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
