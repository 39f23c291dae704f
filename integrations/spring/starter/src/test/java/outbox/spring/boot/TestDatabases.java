package outbox.spring.boot;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import catbox.devservices.MongoDbServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import outbox.internal.Ulids;

/** Creates databases on the shared servers, as properties. */
final class TestDatabases {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private TestDatabases() {}

    static String[] postgres() {
        DatabaseServer server = DevServices.postgres();
        String url = server.createDatabase("starter_" + COUNTER.incrementAndGet());
        return new String[] {
            "spring.datasource.url=" + url,
            "spring.datasource.username=" + server.user(),
            "spring.datasource.password=" + server.password(),
            "spring.datasource.hikari.maximum-pool-size=12",
            "outbox.schema=install"
        };
    }

    /** Skips the test, with a message, where MongoDB cannot be installed. */
    static String[] mongo() {
        if (MongoDbServer.givenUri().isEmpty()) {
            MongoDbServer.unavailableReason().ifPresent(why -> {
                System.err.println("!!! SKIPPED: the starter with MongoDB. " + why);
                Assumptions.abort(why);
            });
        }
        return new String[] {
            "spring.mongodb.uri=" + DevServices.mongoDbUri(),
            "spring.mongodb.database=starter_" + Ulids.SYSTEM.next(),
            "outbox.schema=install"
        };
    }
}
