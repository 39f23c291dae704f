package catbox.livedemo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs the demo: starts everything, places orders, prints what happens to their events, counts, and stops everything.
 */
public final class LiveDemo {

    private static final Duration BETWEEN_ORDERS = Duration.ofMillis(400);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PATIENCE_WHEN_STOPPED = Duration.ofSeconds(3);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final int WAITING_WORTH_TELLING = 4;

    // Referenced here, because the logging framework forgets the level of an unreferenced logger.
    private static final Logger DEVSERVICES_LOG = Logger.getLogger("catbox.devservices");

    private final Arguments arguments;
    private final Console console;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Journal journal = new Journal();
    private volatile boolean up; // written by the main thread once everything runs

    private LiveDemo(Arguments arguments, Console console) {
        this.arguments = arguments;
        this.console = console;
    }

    public static void main(String[] args) {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
        DEVSERVICES_LOG.setLevel(Level.SEVERE);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.exit(run(args, out));
    }

    private static int run(String[] args, PrintStream out) {
        Arguments arguments;
        try {
            arguments = Arguments.read(args);
        } catch (IllegalArgumentException e) {
            System.err.println("catbox demo: " + e.getMessage());
            return 2;
        }
        if (arguments.help()) {
            out.print(Arguments.USAGE);
            return 0;
        }
        LiveDemo demo = new LiveDemo(arguments, new Console(out));
        // Ctrl-C and TERM call this.
        Runtime.getRuntime().addShutdownHook(new Thread(demo::stop));
        try {
            return demo.play();
        } catch (IOException | SQLException | RuntimeException e) {
            System.err.println("catbox demo: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            return 130;
        } finally {
            demo.ended.countDown();
        }
    }

    /** Asks the demo to stop, and waits until it has. While it is still starting, the end of this JVM is enough. */
    private void stop() {
        stop.countDown();
        try {
            if (up) {
                ended.await(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int play() throws IOException, SQLException, InterruptedException {
        console.line("Everything runs on this machine, on 127.0.0.1, in temporary folders. Ctrl-C stops all of it.");
        try (Servers servers = Servers.on(console)) {
            Servers.Running running = servers.start(Programs.find());
            up = true;
            showAddresses(running);
            try (Arrivals arrivals = Arrivals.of(running.kafka(), console, journal)) {
                arrivals.start();
                OrderDesk desk = new OrderDesk(
                        "http://127.0.0.1:" + running.orderService().port(), journal);
                warmUp(desk);
                Thread breakdowns = breakdowns(running);
                placeOrders(desk);
                breakdowns.join();
                Reckoning reckoning = reckoned(running);
                reckoning.print(console, journal);
                console.line("");
                console.step("stopping everything");
                return reckoning.isRight() && (reckoning.isComplete() || isStopped()) ? 0 : 1;
            }
        } finally {
            console.step("stopped");
        }
    }

    private void showAddresses(Servers.Running running) {
        String orders = "http://127.0.0.1:" + running.orderService().port();
        String relay = "http://127.0.0.1:" + running.relay().port();
        console.line("");
        console.line("Open the console, find out why an order is stuck, correct it and replay it");
        console.line(
                "  %s  user %s  password %s", relay, Login.USER, running.login().password());
        console.line("Open");
        console.line("  the order service     %s/v3/api-docs (OpenAPI), %s/actuator/health", orders, orders);
        console.line("  the relay's health    %s/actuator/health", relay);
        console.line("  the relay's metrics   %s/actuator/prometheus", relay);
        console.line(
                "  the database          %s, user %s",
                running.databaseUrl(), running.postgres().user());
        console.line(
                "  Kafka                 %s, topics orders and coupons",
                running.kafka().bootstrapServers());
        console.line("Place an order of your own");
        console.line("  curl -H 'My-User-Id: 7' -H 'Content-Type: application/json' %s/orders \\", orders);
        console.line("       -d '{\"item\":\"tea\",\"quantity\":1,\"amountCents\":500}'");
        console.line("");
    }

    /** The first order takes seconds, because every component does everything for the first time. */
    private void warmUp(OrderDesk desk) throws IOException, InterruptedException {
        console.step("the first order is placed, and warms up every component");
        long end = System.nanoTime() + PATIENCE.toNanos();
        desk.placeOrder();
        boolean goesOn = true;
        while (goesOn && journal.waiting() > 0 && System.nanoTime() - end < 0) {
            goesOn = !stop.await(50, TimeUnit.MILLISECONDS);
        }
        journal.forgetLatencies();
        console.step("from now on an order every " + BETWEEN_ORDERS.toMillis() + " ms");
    }

    private Thread breakdowns(Servers.Running running) {
        Runnable work = () -> {
            try {
                new Breakdowns(console, arguments.runTime(), stop).happen(running.relay(), running.kafka());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        return arguments.kill()
                ? Thread.ofVirtual().start(work)
                : Thread.ofVirtual().start(() -> {});
    }

    private void placeOrders(OrderDesk desk) throws InterruptedException {
        long end = System.nanoTime() + arguments.runTime().toNanos();
        boolean goesOn = true;
        while (goesOn && (arguments.runTime().isZero() || System.nanoTime() - end < 0)) {
            try {
                desk.placeOrder();
            } catch (IOException e) {
                console.line("  an order failed: %s", e);
            }
            if (journal.waiting() >= WAITING_WORTH_TELLING) {
                console.line("  … %d events are committed and wait", journal.waiting());
            }
            goesOn = !stop.await(BETWEEN_ORDERS.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Waits for events in flight, but not for long when the demo is stopping. */
    private Reckoning reckoned(Servers.Running running) throws SQLException, InterruptedException {
        long started = System.nanoTime();
        Reckoning reckoning = Reckoning.of(running.postgres(), running.databaseUrl(), journal);
        while (!reckoning.isComplete()
                && System.nanoTime() - started < (isStopped() ? PATIENCE_WHEN_STOPPED : PATIENCE).toNanos()) {
            Thread.sleep(Duration.ofMillis(200));
            reckoning = Reckoning.of(running.postgres(), running.databaseUrl(), journal);
        }
        return reckoning;
    }

    private boolean isStopped() {
        return stop.getCount() == 0;
    }
}
