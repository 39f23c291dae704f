package catbox.server.access;

import org.springframework.security.core.AuthenticationException;
import outbox.internal.ErrorText;

/** The OpenID provider does not answer, or not as itself. Its words are for the log, not for whoever asks. */
final class OidcUnreachableException extends AuthenticationException {

    private static final long serialVersionUID = 1L;

    OidcUnreachableException(String issuer, Throwable cause) {
        super(words(issuer, ErrorText.of(cause)), cause);
    }

    OidcUnreachableException(String issuer, String why) {
        super(words(issuer, why));
    }

    private static String words(String issuer, String why) {
        return "the OpenID provider " + issuer + " cannot be reached: " + why;
    }
}
