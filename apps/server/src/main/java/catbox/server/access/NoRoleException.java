package catbox.server.access;

import org.springframework.security.core.AuthenticationException;

/** Somebody whom the OpenID provider knows, and who has none of the roles that open anything here. */
final class NoRoleException extends AuthenticationException {

    private static final long serialVersionUID = 1L;

    private final String who;

    NoRoleException(String who) {
        super(who + " has none of the roles catbox-viewer, catbox-operator and catbox-admin");
        this.who = who;
    }

    String who() {
        return who;
    }
}
