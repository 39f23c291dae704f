package catbox.livedemo;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServer;
import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import catbox.devservices.PostgresServer;
import catbox.devservices.ProgramServer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts and stops everything that the demo needs. */
final class Servers implements AutoCloseable {

    private static final int ORDERS_PORT = 8080;
    private static final int RELAY_PORT = 8081;

    private final Console console;
    /** Everything that was started, the latest first; guarded by itself. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    private Servers(Console console) {
        this.console = console;
    }

    /** Everything that runs, once all of it does. */
    record Running(
            DatabaseServer postgres,
            String databaseUrl,
            KafkaBroker kafka,
            DevServer orderService,
            DevServer relay,
            Login login) {}

    static Servers on(Console console) {
        return new Servers(console);
    }

    /** Starts independent servers at the same time. */
    Running start(Programs programs) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<DatabaseServer> postgres = threads.submit(() -> step("PostgreSQL", PostgresServer::start));
            Future<KafkaBroker> kafka = threads.submit(() -> step("Kafka", KafkaServer::start));
            String databaseUrl = result(postgres).createDatabase("shop");
            String user = result(postgres).user();
            Future<DevServer> orders = threads.submit(() -> step("order-service", () -> {
                int port = port("order-service", ORDERS_PORT);
                return programs.startOrderService(databaseUrl, user, port);
            }));
            KafkaBroker broker = result(kafka);
            Warehouse warehouse = result(threads.submit(() -> step("the warehouse", Warehouse::open)));
            Login login = Login.generated();
            Future<DevServer> relay = threads.submit(() -> step("catbox-server", () -> {
                int port = port("catbox-server", RELAY_PORT);
                RelayFile.Parts parts =
                        new RelayFile.Parts(databaseUrl, user, broker.bootstrapServers(), warehouse.url(), login);
                return programs.startCatboxServer(RelayFile.text(parts, port), port);
            }));
            return new Running(result(postgres), databaseUrl, broker, result(orders), result(relay), login);
        }
    }

    // Chosen at the last moment, so that no other program takes it in the meantime.
    private int port(String name, int preferred) {
        int port = ProgramServer.freePort(preferred);
        if (port != preferred) {
            console.step("port " + preferred + " is taken, so " + name + " gets " + port);
        }
        return port;
    }

    private <S extends AutoCloseable> S step(String name, Callable<S> start) throws Exception {
        console.step(name + " starts");
        S server = start.call();
        synchronized (started) {
            started.push(server);
        }
        console.step(server + " is ready");
        return server;
    }

    private static <T> T result(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        synchronized (started) {
            while (!started.isEmpty()) {
                AutoCloseable server = started.pop();
                try {
                    server.close();
                } catch (Exception e) {
                    console.line("%s could not be stopped: %s", server, e);
                }
            }
        }
    }
}
