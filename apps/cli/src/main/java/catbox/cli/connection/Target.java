package catbox.cli.connection;

import java.net.URI;
import java.util.Optional;
import outbox.spi.Secret;

/** The location of an outbox. */
public sealed interface Target {

    /**
     * A source of a server.
     *
     * @param source empty if the server has only one
     */
    record Server(URI url, Optional<Secret> token, Optional<String> source) implements Target {}

    /** A table in a relational database, or a collection in MongoDB. */
    record Database(String url, String user, Optional<Secret> password, String table) implements Target {

        boolean isMongo() {
            return url.startsWith("mongodb");
        }

        /** Returns the URL without user and parameters, which may include a password. */
        String shown() {
            return url.split("[?;]", 2)[0].replaceFirst("//[^/]*@", "//");
        }
    }
}
