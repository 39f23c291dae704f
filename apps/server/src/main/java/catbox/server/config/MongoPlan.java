package catbox.server.config;

import com.mongodb.ConnectionString;
import com.mongodb.MongoNamespace;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import outbox.mongodb.CollectionNames;
import outbox.spi.Settings;

/** A MongoDB replica set and the collections of the outbox in one of its databases. */
public record MongoPlan(Login login, String databaseName, CollectionNames names) implements DatabasePlan {

    static final List<String> PREFIXES = List.of("mongodb://", "mongodb+srv://");
    static final String DATABASE = "mongo-database";

    private static final String DATABASE_DEFAULT = "outbox";
    private static final Pattern URL = Pattern.compile("(mongodb(?:\\+srv)?://)(?:(.*)@)?([^/?]*)(?:/([^?]*))?(.*)");

    static boolean supports(String url) {
        return PREFIXES.stream().anyMatch(url::startsWith);
    }

    static MongoPlan read(Settings settings, int workers) {
        Login login = Login.read(settings, workers);
        Matcher url = matched(login.url());
        if (url.group(2) != null && !login.user().isEmpty()) {
            throw settings.wrong("user", "is given, and the url names one too; leave one of them out");
        }
        if (login.user().isEmpty() && login.password().isPresent()) {
            throw settings.wrong(
                    "password", "is given without a user; both belong together, in the url or as settings");
        }
        String named = url.group(4);
        MongoPlan plan = new MongoPlan(
                login,
                settings.parsed(DATABASE, MongoPlan::databaseName)
                        .orElse(named == null || named.isEmpty() ? DATABASE_DEFAULT : named),
                settings.parsed("table", CollectionNames::new).orElse(CollectionNames.DEFAULT));
        plan.requireReadable(settings);
        return plan;
    }

    private static Matcher matched(String url) {
        Matcher matcher = URL.matcher(url);
        if (!matcher.matches()) {
            throw new IllegalStateException("a url with a prefix of MongoDB matches");
        }
        return matcher;
    }

    private static String databaseName(String name) {
        MongoNamespace.checkDatabaseNameValidity(name);
        return name;
    }

    // Not the form with DNS, whose records are resolved only when the server connects.
    private void requireReadable(Settings settings) {
        if (!login.url().startsWith(PREFIXES.getFirst())) {
            return;
        }
        try {
            new ConnectionString(connectionString());
        } catch (IllegalArgumentException e) {
            // The driver may quote what it does not understand, which may be half a password.
            boolean hasSecrets = login.url().contains("@") || login.url().contains("authMechanismProperties");
            throw settings.wrong(
                    "url",
                    "is no connection string of MongoDB: "
                            + (hasSecrets
                                    ? "mongodb://user:password@host:port,host:port/database?replicaSet=name, with the"
                                            + " special characters of user and password percent-encoded, or both given"
                                            + " as the settings user and password"
                                    : e.getMessage()));
        }
    }

    /** The URL with user and password in it, which must not be shown. */
    public String connectionString() {
        if (login.user().isEmpty()) {
            return login.url();
        }
        Matcher url = matched(login.url());
        String password =
                login.password().map(secret -> ":" + encoded(secret.reveal())).orElse("");
        return url.group(1) + encoded(login.user()) + password + "@"
                + login.url().substring(url.end(1));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The name of the user that logs in; empty without a login. */
    public String user() {
        String inUrl = matched(login.url()).group(2);
        return inUrl == null
                ? login.user()
                : URLDecoder.decode(inUrl.split(":", 2)[0].replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The hosts only: what is before an @ may hold a password. */
    @Override
    public String place() {
        Matcher url = matched(login.url());
        return url.group(1) + url.group(3);
    }

    @Override
    public String events() {
        return "collection " + names.event() + " of database " + databaseName;
    }

    @Override
    public boolean notifiesOfCommits() {
        return true;
    }

    @Override
    public String toString() {
        return place();
    }
}
