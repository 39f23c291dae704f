package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;

/** Checks that the node timeout limits how long the relay waits for its database. */
class NodeTimeoutTest {

    private final JdbcDataSource database = new JdbcDataSource();
    private final AtomicInteger limitMillis = new AtomicInteger();

    @Test
    void limitsHowLongTheRelayWaitsForItsDatabase() {
        database.setURL("jdbc:h2:mem:node_timeout;DB_CLOSE_DELAY=-1");
        JdbcStore store = new JdbcStore(
                database, this::connect, TableNames.DEFAULT, new JdbcStores(this::connect, TableNames.DEFAULT));
        new SchemaInstaller(store.connections()).install();
        OwnedRelayStores stores = store.relayStores(1, Duration.ofSeconds(5));
        limitMillis.set(0); // The installation has no limit.

        stores.stores().partitions().acknowledged(List.of("an-event"));

        assertThat(limitMillis).hasValue(4_000);
        stores.closing().run();
    }

    private Connection connect() throws SQLException {
        Connection open = database.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("setNetworkTimeout")) {
                        // The limit is removed again afterwards.
                        limitMillis.accumulateAndGet((int) args[1], Math::max);
                        return null;
                    }
                    try {
                        return method.invoke(open, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
