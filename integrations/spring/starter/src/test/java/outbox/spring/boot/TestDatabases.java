package outbox.spring.boot;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.util.concurrent.atomic.AtomicInteger;

/** New databases on the shared PostgreSQL, as properties. */
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
}
