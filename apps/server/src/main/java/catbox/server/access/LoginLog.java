package catbox.server.access;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Says who came in and who did not. Never a password, nor a name that is nobody's: it might be one. */
final class LoginLog {

    private static final Logger LOG = System.getLogger("catbox.server.access");

    private LoginLog() {}

    static void loggedIn(String who, String how, String address) {
        LOG.log(Level.INFO, "{0} logged in with {1}, from {2}", who, how, address);
    }

    static void refused(String who, String why, String address) {
        LOG.log(Level.INFO, "a login of {0} was refused, from {1}: {2}", who, address, why);
    }

    static void stopped(String who, String address) {
        LOG.log(
                Level.WARNING,
                "too many wrong passwords: no more of {0} are looked at for a while, from {1}",
                who,
                address);
    }

    /** For who looks for it: anybody can make such a login fail as often as he likes. */
    static void failed(String why) {
        LOG.log(Level.DEBUG, "a login with OpenID failed: {0}", why);
    }

    static void providerFailed(String why) {
        LOG.log(Level.WARNING, "{0}", why);
    }

    static void openToNobody(String file) {
        LOG.log(
                Level.WARNING,
                "nobody may use the console and the API yet: name users, tokens or an OpenID provider below access: in"
                        + " {0}; \"catbox password\" makes the hash of a password, \"catbox token\" a token",
                file);
    }
}
