package catbox.server.access;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Logs logins and failures. It never logs a password, nor an unknown user name: that might be a password. */
final class LoginLog {

    private static final Logger LOG = System.getLogger("catbox.server.access");

    private LoginLog() {}

    static void loggedIn(String user, String method, String address) {
        LOG.log(Level.INFO, "{0} logged in with {1} from {2}", user, method, address);
    }

    static void refused(String user, String reason, String address) {
        LOG.log(Level.INFO, "login of {0} from {1} refused: {2}", user, address, reason);
    }

    static void blocked(String user, String address) {
        LOG.log(
                Level.WARNING,
                "too many wrong passwords: logins of {0} from {1} are blocked for up to 15 minutes",
                user,
                address);
    }

    /** At DEBUG, because anyone can make such logins fail at any rate. */
    static void oidcLoginFailed(String reason) {
        LOG.log(Level.DEBUG, "an OpenID login failed: {0}", reason);
    }

    static void providerFailed(String reason) {
        LOG.log(Level.WARNING, "{0}", reason);
    }

    static void accessNotConfigured(String file) {
        LOG.log(
                Level.WARNING,
                "the console and the API refuse every request: add users, tokens or an OpenID provider under access:"
                        + " in {0}; \"catbox password\" makes the hash of a password, \"catbox token\" makes a token",
                file);
    }
}
