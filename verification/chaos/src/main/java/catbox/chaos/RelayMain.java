package catbox.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.relay.ClusterConfig;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.SettleConfig;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClaimStrategy;

/** Runs a relay in a separate process. It delivers to the journal until the parent asks it to close. */
final class RelayMain {

    private static final int WORKERS = 3;
    /** For the workers, for the relay's own loops, and for both ends of the wake-up channel. */
    private static final int CONNECTIONS = WORKERS + 4 + 2;

    private RelayMain() {}

    /** Configures a relay. */
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
                ClaimStrategy.valueOf(args[2]),
                Integer.parseInt(args[3]),
                Duration.ofMillis(Long.parseLong(args[4])),
                Duration.ofMillis(Long.parseLong(args[5])));
        Random random = new Random(Long.parseLong(args[6]));
        try (Database database = Database.open(args[1], CONNECTIONS);
                Journal journal = Journal.open(Path.of(args[7]), settings.name())) {
            try (Relay relay = Relay.on(database.stores(), settings.toConfig())
                    .destination("journal", new JournalDestination(journal, random))
                    .channel(database.channel())
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

    /** Writes an event to the journal for the checker, and to the parent process, which waits for some of them. */
    private static void write(Journal journal, RelayEvent event) {
        if (event instanceof RelayEvent.Joined joined) {
            journal.joined(joined.session());
            Child.say("joined");
        } else if (event instanceof RelayEvent.PartitionAcquired acquired) {
            journal.acquired(acquired.partition(), acquired.epoch());
            Child.say("acquired " + acquired.partition());
        } else if (event instanceof RelayEvent.PartitionReleased released) {
            journal.released(released.partition(), released.abandoned());
            Child.say("gone " + released.partition());
        } else if (event instanceof RelayEvent.PartitionLost lost) {
            journal.lost(lost.partition(), lost.abandoned());
            Child.say("gone " + lost.partition());
        } else if (event instanceof RelayEvent.Delivered delivered) {
            Child.say("delivered " + delivered.partition());
        } else if (event instanceof RelayEvent.Repartitioned renumbered) {
            journal.repartitioned(renumbered.partitions());
        } else if (event instanceof RelayEvent.Fenced fenced) {
            journal.fenced(fenced.partition(), fenced.events());
        }
    }
}
