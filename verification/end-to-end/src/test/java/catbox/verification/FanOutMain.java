package catbox.verification;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcStores;
import outbox.model.Delivery;
import outbox.relay.ClusterConfig;
import outbox.relay.FileDestination;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.route.Match;
import outbox.relay.route.RouteTable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.spi.relay.RelayStores;

/**
 * A relay whose events go to a first file and then to a second one. In a process of its own it has, instead of the second
 * file, a destination that never answers: it says "between" once it was asked, and waits to be killed.
 */
final class FanOutMain {

    private FanOutMain() {}

    public static void main(String[] args) throws InterruptedException {
        try (HikariDataSource dataSource = pool(args[0], args[1]);
                Relay relay = relay(dataSource, "killed", Path.of(args[2]), new Silent())) {
            relay.start();
            new CountDownLatch(1).await();
        }
    }

    static HikariDataSource pool(String url, String user) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setMaximumPoolSize(10);
        return new HikariDataSource(config);
    }

    static Relay relay(HikariDataSource dataSource, String name, Path first, Destination second) {
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
        RelayStores stores = new JdbcStores(connections).relay();
        RouteTable routes = RouteTable.builder()
                .route("both", Match.all(), RouteTable.Target.to("first"), RouteTable.Target.to("second"))
                .build();
        return Relay.on(
                        stores,
                        RelayConfig.of(name)
                                .withCluster(ClusterConfig.of(name)
                                        .withHeartbeat(Duration.ofMillis(100), Duration.ofSeconds(1))))
                .destination("first", new FileDestination(first))
                .destination("second", second)
                .router(routes.router())
                .build();
    }

    private static final class Silent implements Destination {

        @Override
        public DestinationTraits traits() {
            return DestinationTraits.streaming();
        }

        @Override
        public void deliver(List<Delivery> deliveries, Receipt receipt) {
            System.out.println("between");
        }

        @Override
        public void close() {}
    }
}
