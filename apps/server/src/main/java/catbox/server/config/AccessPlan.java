package catbox.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import outbox.admin.Role;
import outbox.util.Secret;
import outbox.util.Settings;

/**
 * Who may look and who may do what, over HTTP. Without anybody, nobody may.
 *
 * @param oidc the people of an OpenID provider; empty for none
 */
public record AccessPlan(List<User> users, List<Token> tokens, Optional<OidcPlan> oidc, Sessions sessions) {

    private static final Duration SESSION_DEFAULT = Duration.ofHours(8);
    private static final Duration SESSION_MIN = Duration.ofMinutes(1);
    private static final Duration SESSION_MAX = Duration.ofDays(30);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,99}");
    private static final Pattern BCRYPT = Pattern.compile("\\{bcrypt}\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");

    public AccessPlan {
        users = List.copyOf(users);
        tokens = List.copyOf(tokens);
    }

    /** Somebody who logs in with a password of his own. */
    public record User(String name, Secret passwordHash, Role role, boolean payloadRead) {

        static User read(Settings settings) {
            return settings.checked(() -> {
                String name = settings.parsed("name", AccessPlan::name).orElseThrow(() -> missing(settings, "name"));
                Role role = settings.oneOf("role", Role.class, Role.VIEWER);
                boolean payloadRead = settings.flag("payload-read", false);
                Optional<Secret> password = settings.secret("password");
                settings.requireAllKnown();
                Secret hash = password.orElseThrow(() -> missing(settings, "password"));
                if (!BCRYPT.matcher(hash.reveal()).matches()) {
                    throw settings.wrong(
                            "password",
                            "must be a hash such as {bcrypt}$2a$10$..., as \"catbox password\" makes it, and never the"
                                    + " password itself");
                }
                return new User(name, hash, role, payloadRead);
            });
        }
    }

    /**
     * A program that shows a token.
     *
     * @param sha256 of the token, in hexadecimal digits
     */
    public record Token(String name, String sha256, Role role, boolean payloadRead) {

        static Token read(Settings settings) {
            return settings.checked(() -> {
                String name = settings.parsed("name", AccessPlan::name).orElseThrow(() -> missing(settings, "name"));
                Role role = settings.oneOf("role", Role.class, Role.VIEWER);
                boolean payloadRead = settings.flag("payload-read", false);
                Optional<Secret> given = settings.secret("sha256");
                settings.requireAllKnown();
                Secret sha256 = given.orElseThrow(() -> missing(settings, "sha256"));
                if (!SHA256.matcher(sha256.reveal()).matches()) {
                    throw settings.wrong(
                            "sha256",
                            "must be the 64 hexadecimal digits of the token's SHA-256, as \"catbox token\" prints them,"
                                    + " and never the token itself");
                }
                return new Token(name, sha256.reveal(), role, payloadRead);
            });
        }

        /** Without the hash. */
        @Override
        public String toString() {
            return "token " + name;
        }
    }

    /** What becomes of the cookie of those who are logged in. */
    public record Sessions(Duration idleMax, boolean secureCookies, Optional<URI> publicUrl) {}

    /** When cookies are for encrypted connections alone. */
    private enum SecureCookies {
        /** When browsers come by https, as the public url says. */
        AUTO,
        TRUE,
        FALSE
    }

    static Sessions sessions(Settings settings) {
        Duration idleMax = settings.duration("session", SESSION_DEFAULT);
        if (idleMax.compareTo(SESSION_MIN) < 0 || idleMax.compareTo(SESSION_MAX) > 0) {
            throw settings.wrong("session", "must be from 1m to 30d, was " + idleMax);
        }
        Optional<URI> publicUrl = settings.parsed("public-url", AccessPlan::webAddress);
        SecureCookies secure = settings.oneOf("secure-cookies", SecureCookies.class, SecureCookies.AUTO);
        boolean https = publicUrl.map(URI::getScheme).filter("https"::equals).isPresent();
        return new Sessions(
                idleMax, secure == SecureCookies.TRUE || (secure == SecureCookies.AUTO && https), publicUrl);
    }

    /** Whether there is anybody who may do anything. */
    public boolean isOpenToSomebody() {
        return !users.isEmpty() || !tokens.isEmpty() || oidc.isPresent();
    }

    static URI webAddress(String text) {
        URI uri = URI.create(text);
        if (!("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) || uri.getHost() == null) {
            throw new IllegalArgumentException("must be such as https://catbox.example.com, was \"" + text + "\"");
        }
        return uri;
    }

    // What is written to the audit: nothing that could be mistaken for a token's or a provider's name.
    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "has letters, digits and . _ @ -, at most 100, with a letter or digit first, was \"" + text + "\"");
        }
        return text;
    }

    private static IllegalArgumentException missing(Settings settings, String setting) {
        return settings.wrong(setting, "is missing");
    }
}
