package catbox.cli.place;

import java.net.URI;
import java.util.Optional;
import outbox.jdbc.TableNames;
import outbox.util.Secret;

/** The location of an outbox. */
public sealed interface Place {

    /**
     * A source of a server.
     *
     * @param source empty if the server has only one
     */
    record Server(URI url, Optional<Secret> token, Optional<String> source) implements Place {}

    /** A table in a relational database. */
    record Jdbc(String url, String user, Optional<Secret> password, TableNames tables) implements Place {

        /** Returns the URL without its parameters, which may include a password. */
        public String shown() {
            return withoutSecrets(url);
        }
    }

    /** A collection in MongoDB. */
    record Mongo(String url, String user, Optional<Secret> password, String collection) implements Place {

        public String shown() {
            return withoutSecrets(url);
        }
    }

    private static String withoutSecrets(String url) {
        return url.split("[?;]", 2)[0].replaceFirst("//[^/]*@", "//");
    }
}
