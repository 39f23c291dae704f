package catbox.chaos;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcClusterStore;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcRelayStore;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.model.ClaimStrategy;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.RelayNode;
import outbox.relay.cluster.ClusterConfig;
import outbox.relay.observe.RelayEvent;
import outbox.relay.settle.SettleConfig;
import outbox.spi.JdbcDispatchStore;

/** A relay in a process of its own, which delivers to the journal until it is told to close. */
final class RelayMain {

    private static final int WORKERS = 3;
    /** For the workers, for the relay's own loops, and for both ends of the wake-up channel. */
    private static final int CONNECTIONS = WORKERS + 4 + 2;

    private RelayMain() {}

    /** How a relay is set up. */
    record Settings(String name, ClaimStrategy strategy, int partitions, Duration heartbeat, Duration timeout) {

        RelayConfig toConfig() {
            return RelayConfig.of(name)
                    .withStrategy(strategy)
                    .withPartitions(partitions)
                    .withCluster(ClusterConfig.of(name)
                            .withHeartbeat(heartbeat, timeout)
                            .withDrain(Duration.ofSeconds(5)))
                    .withSettle(SettleConfig.defaults()
                            .withMaxAttempts(100)
                            .withRetryPolicy(new ExponentialBackoffRetryPolicy(20, 200)));
        }
    }

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(
                args[0],
                ClaimStrategy.valueOf(args[3]),
                Integer.parseInt(args[4]),
                Duration.ofMillis(Long.parseLong(args[5])),
                Duration.ofMillis(Long.parseLong(args[6])));
        Random random = new Random(Long.parseLong(args[7]));
        try (HikariDataSource dataSource = Database.pool(args[1], args[2], CONNECTIONS);
                Journal journal = Journal.open(Path.of(args[8]), settings.name())) {
            DataSourceConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
            RelayNode.Stores stores = new RelayNode.Stores(
                    new JdbcRelayStore(connections),
                    new JdbcClusterStore(connections),
                    new JdbcDispatchStore(connections, new JdbcOutboxRepository()));
            try (Relay relay = Relay.on(stores, settings.toConfig())
                    .destination("journal", new JournalDestination(journal, random))
                    .channel(new PostgresWakeUpChannel(connections))
                    .listener(event -> write(journal, event))
                    .workers(WORKERS)
                    .build()) {
                relay.start();
                Child.say("running");
                Child.awaitClose();
            }
            Child.say("closed");
        }
    }

    /** Into the journal for the checker, and to the parent process, which waits for some of it. */
    private static void write(Journal journal, RelayEvent event) {
        if (event instanceof RelayEvent.Joined joined) {
            journal.joined(joined.session());
            Child.say("joined");
        } else if (event instanceof RelayEvent.SlotAcquired acquired) {
            journal.acquired(acquired.slot(), acquired.epoch());
            Child.say("acquired " + acquired.slot());
        } else if (event instanceof RelayEvent.SlotReleased released) {
            journal.released(released.slot(), released.abandoned());
            Child.say("gone " + released.slot());
        } else if (event instanceof RelayEvent.SlotLost lost) {
            journal.lost(lost.slot(), lost.abandoned());
            Child.say("gone " + lost.slot());
        } else if (event instanceof RelayEvent.Delivered delivered) {
            Child.say("delivered " + delivered.slot());
        } else if (event instanceof RelayEvent.Renumbered renumbered) {
            journal.renumbered(renumbered.partitions());
        } else if (event instanceof RelayEvent.Fenced fenced) {
            journal.fenced(fenced.slot(), fenced.events());
        }
    }
}
