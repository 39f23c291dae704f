package catbox.cli.place;

import catbox.cli.place.PlaceException.Kind;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.SchemaException;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;

/** The collections of an outbox in MongoDB. */
record MongoPlaceSchema(Place.Mongo place) implements Schema {

    private static final long WAIT_SECONDS = 10;
    private static final String DATABASE_DEFAULT = "outbox";

    @Override
    public String print() {
        return with(schema -> String.join("\n", schema.print()));
    }

    @Override
    public @Nullable String problem() {
        try {
            with(schema -> {
                schema.check();
                return schema;
            });
            return null;
        } catch (SchemaException e) {
            return Schema.advice(e);
        }
    }

    @Override
    public List<String> missing(boolean searchIndexes) {
        String problem = problem();
        return problem == null
                ? List.of()
                : List.of("make what is missing of collection " + place.collection() + ": " + problem);
    }

    @Override
    public void migrate(boolean searchIndexes) {
        with(MongoSchema::install);
    }

    private <T> T with(Function<MongoSchema, T> use) {
        ConnectionString url = url();
        String named = url.getDatabase();
        try (MongoClient client = MongoClients.create(settings(url))) {
            return use.apply(new MongoSchema(new MongoSource(
                    client, named == null ? DATABASE_DEFAULT : named, new CollectionNames(place.collection()))));
        } catch (MongoSecurityException e) {
            throw new PlaceException(Kind.REFUSED, place.shown() + " does not let " + place.user() + " in", e);
        } catch (MongoException e) {
            throw new PlaceException(Kind.UNREACHABLE, place.shown() + " cannot be worked with: " + e.getMessage(), e);
        }
    }

    private ConnectionString url() {
        try {
            return new ConnectionString(place.url());
        } catch (IllegalArgumentException e) {
            // Without its words, which may quote half a password.
            throw new IllegalArgumentException("--database is no connection string of MongoDB, such as"
                    + " mongodb://host:port/database?replicaSet=name");
        }
    }

    private MongoClientSettings settings(ConnectionString url) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(url)
                .applicationName("catbox")
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(WAIT_SECONDS, TimeUnit.SECONDS));
        if (!place.user().isEmpty()) {
            char[] password = place.password()
                    .map(secret -> secret.reveal().toCharArray())
                    .orElse(new char[0]);
            settings.credential(MongoCredential.createCredential(place.user(), "admin", password));
        }
        return settings.build();
    }
}
