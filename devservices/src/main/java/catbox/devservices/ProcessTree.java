package catbox.devservices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Signals a server's first process and everything that it forked, as one. PostgreSQL answers each client from a
 * separate process, so a signal to the first process alone would leave the clients served.
 */
final class ProcessTree {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final ProcessHandle root;

    ProcessTree(ProcessHandle root) {
        this.root = root;
    }

    /** Freezes every process, and returns when none runs any more. */
    void freeze() {
        Set<Long> frozen = new LinkedHashSet<>();
        List<Long> running = living().limit(1).boxed().toList();
        // The parent first, because a frozen parent no longer forks: each round only finds what the last one missed.
        while (!running.isEmpty()) {
            signal("STOP", running);
            await(running, pid -> "TtZX".indexOf(state(pid)) >= 0);
            frozen.addAll(running);
            running = living().filter(pid -> !frozen.contains(pid)).boxed().toList();
        }
    }

    void thaw() {
        signal("CONT", living().boxed().toList());
    }

    /** Kills every process, and returns when all have ended, so that nothing can change the data any more. */
    void kill() {
        signalRoot("STOP");
        List<Long> all = living().boxed().toList();
        signal("KILL", all);
        await(all, pid -> "ZX".indexOf(state(pid)) >= 0);
    }

    void signalRoot(String signal) {
        signal(signal, living().limit(1).boxed().toList());
    }

    /**
     * Returns the living processes, the first process first. Empty once that has ended, because its id may belong to
     * another process by then.
     */
    private LongStream living() {
        return Stream.concat(Stream.of(root), root.descendants())
                .filter(process -> root.isAlive())
                .mapToLong(ProcessHandle::pid);
    }

    /** Java itself can only send TERM and KILL. A process that has just ended is no failure. */
    private static void signal(String signal, List<Long> pids) {
        if (pids.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\"", signal));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new DevServerException("Cannot send " + signal + " to " + pids, e);
        }
    }

    private static void await(List<Long> pids, LongPredicate done) {
        Deadline deadline = Deadline.in(LIMIT);
        while (!pids.stream().allMatch(done::test)) {
            if (deadline.passed()) {
                throw new DevServerException("Processes " + pids + " did not take a signal within " + LIMIT);
            }
            deadline.rest();
        }
    }

    /**
     * Returns the kernel's letter for a process's state. T is stopped. Z has ended and was not yet collected by its
     * parent, which in a container may never happen, so that {@link ProcessHandle#isAlive} would stay true. X has
     * ended.
     */
    private static char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException gone) {
            return 'X';
        }
    }
}
