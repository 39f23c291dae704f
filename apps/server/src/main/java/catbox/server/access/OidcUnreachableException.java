package catbox.server.access;

import org.springframework.security.core.AuthenticationException;
import outbox.internal.ErrorText;

/** Thrown when the OpenID provider gives no usable answer. The message is for the log, and not for the client. */
final class OidcUnreachableException extends AuthenticationException {

    private static final long serialVersionUID = 1L;

    OidcUnreachableException(String issuer, Exception cause) {
        super("the OpenID provider " + issuer + " cannot be reached: " + ErrorText.of(cause), cause);
    }
}
