package catbox.cli.connection;

import catbox.cli.connection.TargetException.Kind;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClients;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.MongoSource;

/** Connects to a collection in MongoDB. */
record MongoConnection(Target.Database database) {

    private static final int WAIT_SECONDS = 10;
    private static final String DATABASE_DEFAULT = "outbox";

    /** Opens a client that stays open while the command runs; its threads do not keep the process alive. */
    MongoSource source() {
        String named = url().getDatabase();
        try {
            return new MongoSource(
                    MongoClients.create(settings()),
                    named == null ? DATABASE_DEFAULT : named,
                    new CollectionNames(database.table()));
        } catch (MongoException e) { // Of DNS, with mongodb+srv.
            throw new TargetException(Kind.UNREACHABLE, database.shown() + " cannot be found: " + e.getMessage(), e);
        }
    }

    MongoClientSettings settings() {
        return MongoClientSettings.builder()
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(WAIT_SECONDS, TimeUnit.SECONDS))
                .applyConnectionString(url())
                .applicationName("catbox")
                .build();
    }

    private ConnectionString url() {
        String text = withLogin();
        try {
            return new ConnectionString(text);
        } catch (IllegalArgumentException e) {
            // Without the cause, whose message may quote a part of the password.
            throw new IllegalArgumentException("--database is not a connection string of MongoDB, such as"
                    + " mongodb://host:port/database?replicaSet=name");
        }
    }

    /** Puts user and password into the address, so that its parameters, such as authSource, apply to them. */
    private String withLogin() {
        if (database.user().isEmpty()) {
            return database.url();
        }
        String[] parts = database.url().split("://", 2);
        if (parts[1].split("[/?]", 2)[0].contains("@")) {
            throw new IllegalArgumentException("--user and --database both name a user; leave one of them out");
        }
        String password = database.password()
                .map(secret -> ":" + encoded(secret.reveal()))
                .orElse("");
        return parts[0] + "://" + encoded(database.user()) + password + "@" + parts[1];
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
