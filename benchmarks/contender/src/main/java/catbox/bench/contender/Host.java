package catbox.bench.contender;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a contender as the benchmark says. Commands, one per line, and what is answered:
 *
 * <pre>
 * (started)                                      ready     settings
 * clear                                          cleared
 * append first= events= keys= hot= bytes=        appended
 * start                                          started; then began, and progress until stop
 * stop                                           stopped
 * publish first= events= keys= hot= bytes= rate= threads= seconds=     published  micros=[commit times] allocatedBytes
 * cost threads= rounds=                          cost
 * (end of input)                                 ends
 * </pre>
 *
 * What goes wrong is answered by {@code failed}.
 */
public final class Host {

    /** Creates a contender. */
    public interface Factory {
        Contender make(Place place) throws Exception;
    }

    private static final long REPORT_MILLIS = 20;

    private final Contender contender;
    private final PrintStream out;
    private @Nullable Thread reporter;

    private Host(Contender contender, PrintStream out) {
        this.contender = contender;
        this.out = out;
    }

    /** Runs until standard input ends, and then ends the JVM. */
    public static void run(String[] args, Factory factory) {
        // Libraries write to standard output, which must not mix with the protocol.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        System.setOut(System.err);
        int code = 0;
        try (Contender contender = factory.make(Place.of(args))) {
            new Host(contender, out).serve();
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            say(out, Map.of("line", "failed", "message", e.toString()));
            code = 1;
        }
        // Some libraries leave threads that would keep the JVM alive.
        System.exit(code);
    }

    private void serve() throws Exception {
        say(out, Map.of("line", "ready", "settings", contender.settings()));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = in.readLine(); command != null; command = in.readLine()) {
            String[] words = command.strip().split(" ", -1);
            obey(words[0], Words.of(Arrays.copyOfRange(words, 1, words.length)));
        }
        stopReporting();
    }

    private void obey(String command, Map<String, String> words) throws Exception {
        switch (command) {
            case "clear" -> {
                contender.clear();
                say(out, Map.of("line", "cleared"));
            }
            case "append" -> {
                contender.append(EventPlan.of(words));
                say(out, Map.of("line", "appended"));
            }
            case "start" -> start();
            case "stop" -> {
                contender.stop();
                stopReporting();
                say(out, Map.of("line", "stopped"));
            }
            case "publish" -> {
                Publishing publishing = Publishing.of(contender, words);
                long before = Machine.allocatedBytes();
                long[] micros = publishing.run();
                long allocated = Machine.allocatedBytes() - before;
                say(out, Map.of("line", "published", "micros", micros, "allocatedBytes", allocated));
            }
            case "cost" -> say(out, PublishCost.of(contender, words).measure());
            default ->
                throw new IllegalArgumentException("unknown command \"" + command
                        + "\"; allowed are clear, append, start, stop, publish and cost");
        }
    }

    private void start() throws Exception {
        Progress progress = new Progress();
        say(out, Map.of("line", "started"));
        reporter = Thread.ofPlatform().daemon().name("reporter").start(() -> report(progress));
        contender.start(progress);
    }

    // The beginning is reported at once, because the meters are read then; a short drain ends after a few reports.
    private void report(Progress progress) {
        long reported = 0;
        try {
            say(out, line("began", progress.awaitBegin(), 0));
            while (true) {
                long settled = progress.settledCount();
                if (settled != reported) {
                    reported = settled;
                    say(out, line("progress", progress.settledAtMicros(), settled));
                }
                Thread.sleep(REPORT_MILLIS);
            }
        } catch (InterruptedException stopped) {
            // An interrupt asks it to end.
        }
    }

    private static Map<String, Object> line(String name, long micros, long settled) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("line", name);
        line.put("micros", micros);
        line.put("settled", settled);
        line.put("allocatedBytes", Machine.allocatedBytes());
        line.put("collectionMillis", Machine.collectionMillis());
        return line;
    }

    private void stopReporting() throws InterruptedException {
        if (reporter != null) {
            reporter.interrupt();
            reporter.join();
            reporter = null;
        }
    }

    private static void say(PrintStream out, Map<String, ?> line) {
        synchronized (out) {
            out.println(JsonLine.write(line));
            out.flush();
        }
    }
}
