package catbox.cli.place;

import java.net.URI;
import java.util.Optional;
import outbox.jdbc.TableNames;
import outbox.util.Secret;

/** Where an outbox is. */
public sealed interface Place {

    /**
     * A source of a server.
     *
     * @param source empty where the server has only one
     */
    record Server(URI url, Optional<Secret> token, Optional<String> source) implements Place {}

    /** A table in a relational database. */
    record Jdbc(String url, String user, Optional<Secret> password, TableNames tables) implements Place {

        /** The URL without its parameters, among which a password may be. */
        public String shown() {
            return withoutSecrets(url);
        }
    }

    /** A collection in MongoDB, whose name follows the rules of MongoDB. */
    record Mongo(String url, String user, Optional<Secret> password, String collection) implements Place {

        public String shown() {
            return withoutSecrets(url);
        }
    }

    private static String withoutSecrets(String url) {
        return url.split("[?;]", 2)[0].replaceFirst("//[^/]*@", "//");
    }
}
