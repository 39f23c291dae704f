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
 * A server's first process and all that it forked, signalled as one. PostgreSQL answers each client from a process of its
 * own, so a signal to the first process alone would leave the clients served.
 */
final class ProcessTree {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final ProcessHandle root;

    ProcessTree(ProcessHandle root) {
        this.root = root;
    }

    /** Stops every process, and returns when none runs any more. */
    void freeze() {
        Set<Long> frozen = new LinkedHashSet<>();
        List<Long> running = living().limit(1).boxed().toList();
        // The parent goes first, since a frozen parent forks no more: each round finds only what the last one missed.
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

    /** Kills every process, and returns when all are gone, so that nothing can touch the data any more. */
    void kill() {
        signalRoot("STOP");
        List<Long> all = living().boxed().toList();
        signal("KILL", all);
        await(all, pid -> "ZX".indexOf(state(pid)) >= 0);
    }

    void signalRoot(String signal) {
        signal(signal, living().limit(1).boxed().toList());
    }

    /** The first process first. Empty once it has ended: its id may be a stranger's then. */
    private LongStream living() {
        return Stream.concat(Stream.of(root), root.descendants())
                .filter(process -> root.isAlive())
                .mapToLong(ProcessHandle::pid);
    }

    /** Java itself can send no more than TERM and KILL. A process that has just ended is no failure. */
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
     * The kernel's letter for what a process does: T is stopped; Z is dead and not yet collected by its parent, which in a
     * container may never happen, so that {@link ProcessHandle#isAlive} would be true for ever; X is gone.
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
