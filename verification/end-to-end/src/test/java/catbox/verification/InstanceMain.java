package catbox.verification;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxConfig;
import outbox.RetryAfterException;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.registry.DefaultListenerRegistry;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;

/**
 * An application instance in a process of its own, which reads one command per line. Its listener records every
 * delivery and behaves as the event's type asks.
 */
final class InstanceMain {

    /** One for each of two relays; the keys that tests write lie in both. */
    static final int PARTITIONS = 2;

    private final String name;
    private final Deliveries deliveries;
    private final CountDownLatch unblocked = new CountDownLatch(1);
    private final Set<String> failedOnce = ConcurrentHashMap.newKeySet();

    private InstanceMain(String name, Deliveries deliveries) {
        this.name = name;
        this.deliveries = deliveries;
    }

    public static void main(String[] args) throws Exception {
        OutboxConfig config = new OutboxConfig()
                .setClaimLeaseMs(Long.parseLong(args[4]))
                .setPollerSkipRecentMs(Long.parseLong(args[5]))
                .setPollerIntervalMs(Long.parseLong(args[6]))
                .setPollerBatchSize(20)
                .setColdQueueCapacity(50) // So that one instance cannot take a whole backlog.
                .setRetryBaseDelayMs(10);
        try (Deliveries deliveries = new Deliveries(args[1], args[2])) {
            InstanceMain instance = new InstanceMain(args[0], deliveries);
            if (Boolean.parseBoolean(args[3])) {
                instance.serveInOrder();
            } else {
                instance.serve(config);
            }
        }
    }

    private void serve(OutboxConfig config) throws Exception {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        JdbcTransactionManager transactions =
                new JdbcTransactionManager(new DataSourceConnectionProvider(deliveries.dataSource()), context);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        say("ready");
        expect(commands, "go");
        try (Outbox outbox = JdbcOutbox.builder(deliveries.dataSource(), context)
                .config(config)
                .onAll(this::receive)
                .build()) {
            say("running");
            for (String line = commands.readLine(); line != null && !line.equals("close"); line = commands.readLine()) {
                String[] command = line.split(" ", -1);
                switch (command[0]) {
                    case "publish" -> publish(transactions, outbox, command[1], Integer.parseInt(command[2]));
                    case "publish-slowly" -> publishSlowly(transactions, outbox, commands, command[1]);
                    case "unblock" -> unblocked.countDown();
                    default -> throw new IllegalArgumentException(line);
                }
            }
        }
        say("closed");
    }

    /** Runs a relay, which owns some of the keys. The only commands begin and end it. */
    private void serveInOrder() throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        say("ready");
        expect(commands, "go");
        JdbcStores stores = new JdbcStores(new DataSourceConnectionProvider(deliveries.dataSource()));
        Relay relay = Relay.on(stores.relay(), RelayConfig.of(name).withPartitions(PARTITIONS))
                .listeners(new DefaultListenerRegistry().registerAll(this::receive))
                .build()
                .start();
        say("running");
        expect(commands, "close");
        relay.close();
        say("closed");
    }

    private static void publish(JdbcTransactionManager transactions, Outbox outbox, String type, int count)
            throws Exception {
        for (int i = 0; i < count; i++) {
            transactions.run(conn -> outbox.publish(EventEnvelope.ofJson(type, "{}")));
        }
        say("published");
    }

    /** Stores an event and keeps its transaction open until the command to commit. */
    private static void publishSlowly(
            JdbcTransactionManager transactions, Outbox outbox, BufferedReader commands, String type) throws Exception {
        try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
            outbox.publish(EventEnvelope.ofJson(type, "{}"));
            say("stored");
            expect(commands, "commit");
            tx.commit();
        }
        say("published");
    }

    private void receive(EventEnvelope event) throws Exception {
        long id = deliveries.started(event.eventId(), event.orderingKey(), name);
        try {
            switch (event.eventType()) {
                case "Block" -> unblocked.await();
                case "BlockAtA" -> {
                    if (name.equals("A")) {
                        unblocked.await();
                    } else {
                        throw new RetryAfterException(Duration.ofHours(1), "refused by " + name);
                    }
                }
                case "FailOnce" -> {
                    if (failedOnce.add(event.eventId())) {
                        throw new IllegalStateException("fails once");
                    }
                }
                default -> {}
            }
        } finally {
            deliveries.ended(id);
        }
    }

    private static void expect(BufferedReader commands, String wanted) throws Exception {
        String line = commands.readLine();
        if (!wanted.equals(line)) {
            throw new IllegalStateException("expected " + wanted + ", got " + line);
        }
    }

    private static void say(String line) {
        System.out.println("> " + line);
    }
}
