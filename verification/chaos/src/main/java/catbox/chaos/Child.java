package catbox.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A handle of a child process, which can be paused, killed, or asked to close. It remembers what the process reports.
 */
final class Child implements AutoCloseable {

    static final Duration WAIT_MAX = Duration.ofSeconds(40);

    private final String name;
    private final Process process;
    private final PrintWriter commands;
    private final Set<Integer> owned = new ConcurrentSkipListSet<>();
    private final Set<Integer> delivering = new ConcurrentSkipListSet<>();
    private final AtomicInteger joins = new AtomicInteger();
    private volatile boolean running;
    private volatile boolean closed;

    private Child(String name, Process process) {
        this.name = name;
        this.process = process;
        this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread.ofVirtual().start(this::listen);
    }

    /** Starts a JVM with this class path. Its output goes to a file with its name. */
    static Child start(Path folder, Class<?> main, String name, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-Djava.util.logging.SimpleFormatter.format=%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                name));
        command.addAll(arguments);
        return new Child(
                name,
                new ProcessBuilder(command)
                        .redirectError(folder.resolve(name + ".log").toFile())
                        .start());
    }

    // ---- inside the child ------------------------------------------------------------------------------------------

    /** Reports a line to the parent. */
    static void say(String line) {
        System.out.println("> " + line);
    }

    /** Returns when the parent asks this process to close. Ends this process when the parent has ended. */
    static void awaitClose() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (lines.readLine() == null) {
            Runtime.getRuntime().halt(1);
        }
    }

    // ---- inside the parent -----------------------------------------------------------------------------------------

    String name() {
        return name;
    }

    /** Returns the partitions that it reported to own. A frozen or killed process cannot revoke that. */
    Set<Integer> owned() {
        return Set.copyOf(owned);
    }

    /** Returns the partitions of which it has delivered events. */
    Set<Integer> delivering() {
        return Set.copyOf(delivering);
    }

    int joins() {
        return joins.get();
    }

    void awaitRunning() throws InterruptedException {
        Wait.until(name + " runs", WAIT_MAX, () -> running || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(name + " ended with code " + process.exitValue());
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Freezes the whole process, including its timers and heartbeats. */
    void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void askToClose() {
        commands.println("close");
    }

    void awaitClosed() throws InterruptedException {
        boolean ended = process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
        if (!ended || process.exitValue() != 0 || !Wait.within(Duration.ofSeconds(5), () -> closed)) {
            throw new IllegalStateException(
                    name + " did not close: " + (ended ? "exit code " + process.exitValue() : "still runs"));
        }
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill " + signal + " of " + name + " failed with code " + code);
        }
    }

    private void listen() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("> ")) {
                    onLine(line.substring(2).split(" ", -1));
                }
            }
        } catch (IOException e) {
            // The process was killed, which a waiting thread finds out.
        }
    }

    private void onLine(String[] fields) {
        switch (fields[0]) {
            case "running" -> running = true;
            case "closed" -> closed = true;
            case "joined" -> joins.incrementAndGet();
            case "acquired" -> owned.add(Integer.valueOf(fields[1]));
            case "delivered" -> delivering.add(Integer.valueOf(fields[1]));
            case "gone" -> {
                owned.remove(Integer.valueOf(fields[1]));
                delivering.remove(Integer.valueOf(fields[1]));
            }
            default -> throw new IllegalArgumentException(String.join(" ", fields));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
