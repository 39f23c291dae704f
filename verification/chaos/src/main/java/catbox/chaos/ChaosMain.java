package catbox.chaos;

import catbox.simulation.Simulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Runs the chaos run as a command: {@code --database mongodb --seconds 60 --seed 1 --form long --folder
 * where-the-logs-go}, all optional. The default database is postgres. The short form is the gate's. On MongoDB the long
 * form has three members, of which the primary is killed, and the short form has one. The form {@code times} measures
 * the promised times of undisturbed relays on PostgreSQL (see {@link Times}). The exit code is 1 when a fault was
 * found. With {@code simulate} as its first argument it runs the simulator instead.
 */
public final class ChaosMain {

    private ChaosMain() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("simulate")) {
            Simulator.main(Arrays.copyOfRange(args, 1, args.length));
            return;
        }
        Duration writing = Duration.ofSeconds(60);
        long seed = new Random().nextInt(1_000_000);
        String form = "long";
        boolean onMongo = false;
        Path folder = null;
        for (int i = 0; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : "";
            switch (value.isEmpty() ? "" : args[i]) {
                case "--seconds" -> writing = Duration.ofSeconds(Long.parseLong(value));
                case "--seed" -> seed = Long.parseLong(value);
                case "--database" -> onMongo = isMongo(value);
                case "--form" -> form = form(value);
                case "--folder" -> folder = Path.of(value);
                default -> {
                    System.err.println(
                            args[i] + " is not known or lacks its value; allowed are --database (postgres or mongodb),"
                                    + " --seconds, --seed, --form (short, long or times) and --folder");
                    System.exit(2);
                }
            }
        }
        Path logs = folder == null ? Files.createTempDirectory("catbox-chaos-") : folder;
        System.err.println("seed " + seed + ", logs and records in " + logs);
        long begun = System.nanoTime();
        Consumer<String> progress =
                step -> System.err.printf(Locale.ROOT, "%6.1f s  %s%n", (System.nanoTime() - begun) / 1e9, step);
        if (form.equals("times")) {
            List<Times.Measured> measured = new Times(logs, progress).measure();
            measured.forEach(System.out::println);
            System.exit(measured.stream().allMatch(Times.Measured::isGood) ? 0 : 1);
        }
        Report report = new ChaosRun(
                        form.equals("short")
                                ? ChaosRun.Plan.quick(seed, onMongo ? Server.Kind.MONGODB : Server.Kind.POSTGRES, logs)
                                : ChaosRun.Plan.thorough(
                                        seed,
                                        onMongo ? Server.Kind.MONGODB_THREE : Server.Kind.POSTGRES,
                                        writing,
                                        logs),
                        progress)
                .run();
        System.out.print(report.toMarkdown());
        System.exit(report.isGood() ? 0 : 1);
    }

    private static String form(String value) {
        if (!List.of("short", "long", "times").contains(value)) {
            System.err.println("--form must be short, long or times, was " + value);
            System.exit(2);
        }
        return value;
    }

    private static boolean isMongo(String value) {
        if (!value.equals("mongodb") && !value.equals("postgres")) {
            System.err.println("--database must be postgres or mongodb, was " + value);
            System.exit(2);
        }
        return value.equals("mongodb");
    }
}
