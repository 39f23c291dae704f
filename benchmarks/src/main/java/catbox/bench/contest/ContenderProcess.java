package catbox.bench.contest;

import catbox.bench.contender.JsonLine;
import catbox.bench.contender.Place;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A contender in a separate JVM, as the benchmark controls it. */
final class ContenderProcess implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);

    private final Process process;
    private final Path log;
    private final BufferedWriter commands;
    private final BlockingQueue<Map<String, Object>> lines = new LinkedBlockingQueue<>();
    private final String settings;

    /** Starts it and waits until it is ready. Its output goes to the log. */
    ContenderProcess(Program program, Place place, Path log) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program.command());
        command.addAll(List.of(place.words()));
        this.log = log;
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("lines of " + place.node()).start(this::read);
        this.settings = settingsOnceReady();
    }

    private String settingsOnceReady() throws InterruptedException {
        try {
            return text(await("ready", START), "settings");
        } catch (InterruptedException | RuntimeException e) {
            process.destroyForcibly(); // It would keep using a core while the others are measured.
            throw e;
        }
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(JsonLine.read(line));
            }
        } catch (IOException | UncheckedIOException ended) {
            // Reported below, as the end of all lines.
        }
        lines.add(Map.of("line", "failed", "message", "the process ended"));
    }

    long pid() {
        return process.pid();
    }

    String settings() {
        return settings;
    }

    void send(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }

    /** Sends it a command and waits for the answer of this name; earlier lines are dropped. */
    Map<String, Object> ask(String command, String answer, Duration patience) throws IOException, InterruptedException {
        send(command);
        return await(answer, patience);
    }

    Map<String, Object> await(String name, Duration patience) throws InterruptedException {
        Map<String, Object> line = next(patience);
        while (!text(line, "line").equals(name)) {
            line = next(patience);
        }
        return line;
    }

    private Map<String, Object> next(Duration patience) throws InterruptedException {
        Map<String, Object> line = nextWithin(patience);
        if (line == null) {
            throw new IllegalStateException("no answer within " + patience + "; see " + log);
        }
        return line;
    }

    /** Returns the next line of any kind, or null if there is none in time. */
    @Nullable
    Map<String, Object> nextWithin(Duration patience) throws InterruptedException {
        Map<String, Object> line = lines.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (line != null && text(line, "line").equals("failed")) {
            throw new IllegalStateException(text(line, "message") + "; see " + log);
        }
        return line;
    }

    static String text(Map<String, Object> line, String name) {
        return Objects.requireNonNull(line.get(name), name).toString();
    }

    static long number(Map<String, Object> line, String name) {
        return ((Number) Objects.requireNonNull(line.get(name), name)).longValue();
    }

    @Override
    public void close() {
        try {
            commands.close(); // The end of its input asks it to end.
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
