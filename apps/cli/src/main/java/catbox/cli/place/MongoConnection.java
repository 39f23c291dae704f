package catbox.cli.place;

import catbox.cli.place.PlaceException.Kind;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.MongoSource;

/** The way to a collection in MongoDB. */
record MongoConnection(Place.Mongo place) {

    private static final int WAIT_SECONDS = 10;
    private static final String DATABASE_DEFAULT = "outbox";

    /** Connects to nothing yet. The client is to be closed. */
    MongoClient client() {
        try {
            return MongoClients.create(settings());
        } catch (MongoException e) { // Of DNS, with mongodb+srv.
            throw new PlaceException(Kind.UNREACHABLE, place.shown() + " cannot be found: " + e.getMessage(), e);
        }
    }

    MongoClientSettings settings() {
        return MongoClientSettings.builder()
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(WAIT_SECONDS, TimeUnit.SECONDS))
                .applyConnectionString(url())
                .applicationName("catbox")
                .build();
    }

    MongoSource source(MongoClient client) {
        @Nullable String named = url().getDatabase();
        return new MongoSource(
                client, named == null ? DATABASE_DEFAULT : named, new CollectionNames(place.collection()));
    }

    private ConnectionString url() {
        String text = withLogin();
        try {
            return new ConnectionString(text);
        } catch (IllegalArgumentException e) {
            // Without its words, which may quote half a password.
            throw new IllegalArgumentException("--database is no connection string of MongoDB, such as"
                    + " mongodb://host:port/database?replicaSet=name");
        }
    }

    /** User and password belong into the address, so that what it says about them, such as authSource, is of these. */
    private String withLogin() {
        if (place.user().isEmpty()) {
            return place.url();
        }
        String[] parts = place.url().split("://", 2);
        if (parts[1].split("[/?]", 2)[0].contains("@")) {
            throw new IllegalArgumentException("--user is given, and --database names one too; leave one of them out");
        }
        String password =
                place.password().map(secret -> ":" + encoded(secret.reveal())).orElse("");
        return parts[0] + "://" + encoded(place.user()) + password + "@" + parts[1];
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
