package catbox.cli.connection;

import java.net.URI;
import java.util.Optional;
import outbox.jdbc.TableNames;
import outbox.spi.Secret;

/** The location of an outbox. */
public sealed interface Target {

    /**
     * A source of a server.
     *
     * @param source empty if the server has only one
     */
    record Server(URI url, Optional<Secret> token, Optional<String> source) implements Target {}

    /** A table in a relational database. */
    record Jdbc(String url, String user, Optional<Secret> password, TableNames tables) implements Target {

        /** Returns the URL without its parameters, which may include a password. */
        public String shown() {
            return withoutSecrets(url);
        }
    }

    /** A collection in MongoDB. */
    record Mongo(String url, String user, Optional<Secret> password, String collection) implements Target {

        public String shown() {
            return withoutSecrets(url);
        }
    }

    private static String withoutSecrets(String url) {
        return url.split("[?;]", 2)[0].replaceFirst("//[^/]*@", "//");
    }
}
