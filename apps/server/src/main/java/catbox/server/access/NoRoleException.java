package catbox.server.access;

import org.springframework.security.core.AuthenticationException;

/** Thrown at the login of a user of the OpenID provider who has none of our roles. */
final class NoRoleException extends AuthenticationException {

    private static final long serialVersionUID = 1L;

    /** Makes it; the message is the user's name. */
    NoRoleException(String user) {
        super(user);
    }
}
