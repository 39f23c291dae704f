package catbox.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Runs chaos once: starts everything, disturbs the relays while writers write, lets the relays finish, and checks. */
final class ChaosRun {

    private static final int RELAYS = 3;
    private static final int CONNECTIONS = 3;
    private static final Duration FINISH = Duration.ofSeconds(60);

    private final Plan plan;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final List<Child> writers = new ArrayList<>();

    /**
     * Configures a run.
     *
     * @param server the database server
     * @param manner its duration and disturbances
     * @param folder for the logs of the processes
     */
    record Plan(long seed, Server.Kind server, Manner manner, Path folder) {

        private static final int EVENTS_PER_SECOND = 200;

        /** Twenty seconds, with every disturbance of processes once. */
        static Plan quick(long seed, Server.Kind server, Path folder) {
            List<Disturber.Act> acts = List.of(
                    Disturber.Act.KILL,
                    Disturber.Act.FREEZE,
                    Disturber.Act.ADD,
                    Disturber.Act.REMOVE,
                    Disturber.Act.RESTART_DATABASE);
            return new Plan(seed, server, new Manner(Duration.ofSeconds(20), 2, acts), folder);
        }

        /** Of any duration, with every disturbance. */
        static Plan thorough(long seed, Server.Kind server, Duration writing, Path folder) {
            return new Plan(seed, server, new Manner(writing, 3, Arrays.asList(Disturber.Act.values())), folder);
        }

        Duration writing() {
            return manner.writing();
        }

        int writers() {
            return manner.writers();
        }

        List<Disturber.Act> acts() {
            return manner.acts();
        }

        private int pauseMillis() {
            int threads = 3; // Of each writer; the slow ones do not count.
            return Math.max(1, 1_000 * writers() * threads * 5 / (EVENTS_PER_SECOND * 4));
        }
    }

    /**
     * Configures the course of a run.
     *
     * @param writing the minimum time of writing; longer if the acts take longer
     * @param acts the disturbances to make at least, in an order that the seed chooses
     */
    record Manner(Duration writing, int writers, List<Disturber.Act> acts) {

        Manner {
            acts = List.copyOf(acts);
        }
    }

    ChaosRun(Plan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
        this.random = new SplittableRandom(plan.seed());
    }

    Report run() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Files.createDirectories(plan.folder());
        try (Server server = plan.server().start();
                Database database = Database.open(server.address(), CONNECTIONS)) {
            Relays.Site site = new Relays.Site(plan.folder(), server.address());
            try (Relays relays = new Relays(site, random.split())) {
                Thread reaper = new Thread(() -> closeAll(relays));
                Runtime.getRuntime().addShutdownHook(reaper);
                try {
                    Disturber disturber = new Disturber(server, database, relays, random.split());
                    start(site, database, relays);
                    disturb(disturber);
                    finish(database, relays);
                    History history = history(site, database, disturber);
                    Duration took = Duration.ofNanos(System.nanoTime() - begun);
                    return Report.of(plan, history, new Report.Story(disturber.counts(), relays.started(), took));
                } finally {
                    closeAll(relays);
                    Runtime.getRuntime().removeShutdownHook(reaper);
                }
            }
        }
    }

    private void start(Relays.Site site, Database database, Relays relays) throws IOException, InterruptedException {
        List<String> keys = new ArrayList<>(WriterMain.sharedKeys());
        for (int i = 1; i <= plan.writers(); i++) {
            keys.addAll(WriterMain.ownKeys("writer-" + i));
        }
        database.install(keys);
        List<Child> started = new ArrayList<>();
        for (int i = 0; i < RELAYS; i++) {
            started.add(relays.begin());
        }
        for (int i = 1; i <= plan.writers(); i++) {
            writers.add(startWriter(site, "writer-" + i, i % 2 == 1));
        }
        started.addAll(writers);
        for (Child child : started) {
            child.awaitRunning();
        }
        relays.awaitAllOwned();
    }

    private Child startWriter(Relays.Site site, String name, boolean wakes) throws IOException {
        return Child.start(
                site.folder(),
                WriterMain.class,
                name,
                List.of(
                        site.address(),
                        Boolean.toString(wakes),
                        Integer.toString(plan.pauseMillis()),
                        Long.toString(random.nextLong()),
                        site.writerLog(name).toString()));
    }

    private void disturb(Disturber disturber) throws IOException, InterruptedException {
        long until = System.nanoTime() + plan.writing().toNanos();
        List<Disturber.Act> wanted = new ArrayList<>(plan.acts());
        Collections.shuffle(wanted, new Random(random.nextLong()));
        List<Disturber.Act> repeatable = plan.acts().stream()
                .filter(act -> act != Disturber.Act.CHANGE_STRATEGY && act != Disturber.Act.CHANGE_PARTITIONS)
                .toList();
        while (!wanted.isEmpty() || System.nanoTime() - until < 0) {
            Disturber.Act act = wanted.isEmpty() ? repeatable.get(random.nextInt(repeatable.size())) : wanted.remove(0);
            progress.accept(act.toString());
            disturber.carryOut(act);
        }
    }

    private void finish(Database database, Relays relays) throws InterruptedException {
        progress.accept("writers stop");
        writers.forEach(Child::askToClose);
        for (Child writer : writers) {
            writer.awaitClosed();
        }
        progress.accept("relays finish");
        // The checker reports events that are still pending afterwards.
        Wait.within(FINISH, database::isDrained);
        relays.stopAll();
    }

    private History history(Relays.Site site, Database database, Disturber disturber) throws IOException {
        List<WriterLog.Written> written = new ArrayList<>();
        for (Child writer : writers) {
            written.addAll(WriterLog.read(site.writerLog(writer.name())));
        }
        return new History(database.committed(), written, Journal.read(site.journal()), disturber.done());
    }

    private void closeAll(Relays relays) {
        relays.close();
        writers.forEach(Child::close);
    }
}
