package outbox.admin;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The one list of what an operator can see and do. Each is a method of {@link OutboxAdmin}, a route of the server
 * ({@code /api/sources/NAME/} and its word), a command and a link or button of the console, all of the same name.
 */
public enum Operation {
    OVERVIEW(Kind.SEE, Role.VIEWER),
    EVENTS(Kind.SEE, Role.VIEWER),
    EVENT(Kind.SEE, Role.VIEWER),
    KEY(Kind.SEE, Role.VIEWER),
    DEAD(Kind.SEE, Role.VIEWER),
    NODES(Kind.SEE, Role.VIEWER),
    PARTITIONS(Kind.SEE, Role.VIEWER),
    DESTINATIONS(Kind.SEE, Role.VIEWER),
    ROUTES(Kind.SEE, Role.VIEWER),
    HOLDS(Kind.SEE, Role.VIEWER),
    AUDIT(Kind.SEE, Role.VIEWER),
    DOCTOR(Kind.SEE, Role.VIEWER),
    /** Asks for the right to read payloads, not for a role. */
    REVEAL(Kind.DO, Role.VIEWER),
    REPLAY(Kind.DO, Role.OPERATOR),
    PAUSE(Kind.DO, Role.OPERATOR),
    RESUME(Kind.DO, Role.OPERATOR),
    RESEND(Kind.DO, Role.OPERATOR),
    EDIT(Kind.DESTROY, Role.ADMIN),
    DISCARD(Kind.DESTROY, Role.ADMIN),
    DRAIN(Kind.DO, Role.ADMIN),
    REBALANCE(Kind.DO, Role.ADMIN),
    PURGE(Kind.DESTROY, Role.ADMIN);

    private final Kind kind;
    private final Role role;

    /** How careful one has to be. */
    public enum Kind {
        /** Changes nothing, and is not audited. */
        SEE,
        /** Is audited. */
        DO,
        /** Is audited, and has to be confirmed: what was there before is gone, or out of sight. */
        DESTROY
    }

    Operation(Kind kind, Role role) {
        this.kind = kind;
        this.role = role;
    }

    /** The name of the method, the route, the command and the button. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Kind kind() {
        return kind;
    }

    /** The least that who asks for it has to be. */
    public Role role() {
        return role;
    }

    public static Optional<Operation> of(String word) {
        return Arrays.stream(values())
                .filter(operation -> operation.word().equals(word))
                .findFirst();
    }
}
