package catbox.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import outbox.admin.Role;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * The users and programs that may use the console and the API. Without any, every request is refused.
 *
 * @param oidc an OpenID provider, whose users may log in; empty for none
 * @param trustedProxies proxies whose X-Forwarded-For is believed
 */
public record AccessPlan(
        List<User> users,
        List<Token> tokens,
        Optional<OidcPlan> oidc,
        Sessions sessions,
        List<AddressRange> trustedProxies) {

    private static final Duration IDLE_DEFAULT = Duration.ofHours(8);
    private static final Duration IDLE_MIN = Duration.ofMinutes(1);
    private static final Duration LASTS_DEFAULT = Duration.ofHours(12);
    private static final Duration LASTS_MIN = Duration.ofSeconds(1);
    private static final Duration SESSION_MAX = Duration.ofDays(30);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,99}");
    private static final Pattern BCRYPT = Pattern.compile("\\{bcrypt}\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");

    public AccessPlan {
        users = List.copyOf(users);
        tokens = List.copyOf(tokens);
        trustedProxies = List.copyOf(trustedProxies);
    }

    /** A user who logs in with a password. */
    public record User(String name, Secret passwordHash, Role role, boolean payloadRead) {

        static User read(Settings settings) {
            Entry entry = Entry.read(
                    settings,
                    "password",
                    BCRYPT,
                    "must be a hash such as {bcrypt}$2a$10$..., as \"catbox password\" makes it, and never the"
                            + " password itself");
            return new User(entry.name(), entry.hash(), entry.role(), entry.payloadRead());
        }
    }

    /**
     * A program that authenticates with a bearer token.
     *
     * @param sha256 of the token, in hexadecimal digits
     */
    public record Token(String name, String sha256, Role role, boolean payloadRead) {

        static Token read(Settings settings) {
            Entry entry = Entry.read(
                    settings,
                    "sha256",
                    SHA256,
                    "must be the 64 hexadecimal digits of the token's SHA-256, as \"catbox token\" prints them, and"
                            + " never the token itself");
            return new Token(entry.name(), entry.hash().reveal(), entry.role(), entry.payloadRead());
        }

        /** Without the hash. */
        @Override
        public String toString() {
            return "token " + name;
        }
    }

    /** What users and tokens have in common. */
    private record Entry(String name, Secret hash, Role role, boolean payloadRead) {

        static Entry read(Settings settings, String setting, Pattern allowed, String otherwise) {
            String name =
                    settings.parsed("name", AccessPlan::name).orElseThrow(() -> settings.wrong("name", "is missing"));
            Role role = settings.oneOf("role", Role.class, Role.VIEWER);
            boolean payloadRead = settings.flag("payload-read", false);
            Optional<Secret> given = settings.secret(setting);
            settings.requireAllKnown();
            Secret hash = given.orElseThrow(() -> settings.wrong(setting, "is missing"));
            if (!allowed.matcher(hash.reveal()).matches()) {
                throw settings.wrong(setting, otherwise);
            }
            return new Entry(name, hash, role, payloadRead);
        }
    }

    /**
     * How long sessions last, and how their cookie is sent.
     *
     * @param idleMax the longest time between two requests
     * @param lastsMax maximum session length. Open pages refresh automatically, so they never become idle.
     */
    public record Sessions(Duration idleMax, Duration lastsMax, boolean secureCookies, Optional<URI> publicUrl) {}

    /** Whether browsers send cookies over encrypted connections only. */
    private enum SecureCookies {
        /** If the public URL begins with https. */
        AUTO,
        TRUE,
        FALSE
    }

    static AccessPlan read(Settings settings, List<User> users, List<Token> tokens) {
        Sessions sessions = sessions(settings);
        List<AddressRange> proxies =
                settings.parsed("trusted-proxies", AddressRange::parseAll).orElse(List.of());
        return new AccessPlan(users, tokens, OidcPlan.read(settings), sessions, proxies);
    }

    private static Sessions sessions(Settings settings) {
        settings.refuseFormerNames(Map.of("session", "session-idle-timeout", "session-max", "session-lifetime"));
        Duration idleMax = settings.duration("session-idle-timeout", IDLE_DEFAULT);
        if (idleMax.compareTo(IDLE_MIN) < 0 || idleMax.compareTo(SESSION_MAX) > 0) {
            throw settings.wrong("session-idle-timeout", "must be from 1m to 30d, was " + idleMax);
        }
        Duration lastsMax = settings.duration("session-lifetime", LASTS_DEFAULT);
        if (lastsMax.compareTo(LASTS_MIN) < 0 || lastsMax.compareTo(SESSION_MAX) > 0) {
            throw settings.wrong("session-lifetime", "must be from 1s to 30d, was " + lastsMax);
        }
        Optional<URI> publicUrl = settings.parsed("public-url", AccessPlan::ownAddress);
        boolean https = publicUrl.map(URI::getScheme).filter("https"::equals).isPresent();
        SecureCookies secure = settings.oneOf("secure-cookies", SecureCookies.class, SecureCookies.AUTO);
        return new Sessions(
                idleMax, lastsMax, secure == SecureCookies.TRUE || (secure == SecureCookies.AUTO && https), publicUrl);
    }

    /** Whether there is a user, a token or a provider. */
    public boolean hasLogins() {
        return !users.isEmpty() || !tokens.isEmpty() || oidc.isPresent();
    }

    /** Whether the file says that requests come through a proxy, which may run on this machine. */
    public boolean isBehindProxy() {
        return sessions.publicUrl().isPresent() || !trustedProxies.isEmpty();
    }

    static URI webAddress(String text) {
        URI uri = URI.create(text);
        if (!("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) || uri.getHost() == null) {
            throw new IllegalArgumentException("must be such as https://catbox.example.com, was \"" + text + "\"");
        }
        return uri;
    }

    // All links and cookies of the console begin at the root.
    private static URI ownAddress(String text) {
        URI uri = webAddress(text);
        String path = uri.getRawPath();
        if (!(path.isEmpty() || path.equals("/")) || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("must be a host of its own, such as https://catbox.example.com,"
                    + " without a path: the console cannot be below a path; was \"" + text + "\"");
        }
        return uri;
    }

    // The audit log shows it, where it must not be mistaken for a token or for a user of the provider.
    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "has letters, digits and . _ @ -, at most 100, with a letter or digit first, was \"" + text + "\"");
        }
        return text;
    }
}
