package catbox.verification;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The handle of an {@link InstanceMain} in its own JVM: told what to do, paused, killed. */
final class Instance implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final PrintWriter commands;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    /**
     * How an instance is set up.
     *
     * @param ordered whether it is a relay, which keeps the order of keys, instead of a dispatcher
     */
    record Settings(boolean ordered, long leaseMs, long skipRecentMs, long intervalMs) {

        static Settings unordered(long leaseMs) {
            return new Settings(false, leaseMs, 0, 10);
        }
    }

    private Instance(Process process) {
        this.process = process;
        this.commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread.ofVirtual().start(this::listen);
    }

    /** Starts a JVM and waits until it is ready; it works from {@link #go()} on. */
    static Instance start(String name, String jdbcUrl, String user, Settings settings) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                InstanceMain.class.getName(),
                name,
                jdbcUrl,
                user,
                Boolean.toString(settings.ordered()),
                Long.toString(settings.leaseMs()),
                Long.toString(settings.skipRecentMs()),
                Long.toString(settings.intervalMs()));
        Instance instance = new Instance(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        instance.expect("ready");
        return instance;
    }

    Instance go() throws InterruptedException {
        send("go");
        expect("running");
        return this;
    }

    void send(String command) {
        commands.println(command);
    }

    void expect(String wanted) throws InterruptedException {
        String line = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!wanted.equals(line)) {
            throw new AssertionError("expected the instance to say " + wanted + ", it said " + line);
        }
    }

    /** Freezes the whole process, its timers and renewals included. */
    void pause() throws Exception {
        signal("-STOP");
    }

    void resume() throws Exception {
        signal("-CONT");
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void closeAndWait() throws InterruptedException {
        send("close");
        expect("closed");
        process.waitFor();
    }

    private void signal(String signal) throws Exception {
        new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    private void listen() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("> ")) {
                    said.add(line.substring(2));
                }
            }
        } catch (IOException e) {
            said.add("gone: " + e.getMessage());
        }
        said.add("gone");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
