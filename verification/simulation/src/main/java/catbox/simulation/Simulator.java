package catbox.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Runs any number of seeds. The command: {@code java … catbox.simulation.Simulator [first seed] [how many]}. */
public final class Simulator {

    private static final int BAD_MAX = 3;

    private Simulator() {}

    /**
     * How the runs went.
     *
     * @param trace the same for the same seeds, whichever process runs them
     * @param reached how many runs have come to each limit and expiry
     * @param bad the runs that broke a promise
     */
    public record Result(
            long runs,
            long events,
            long duplicates,
            long trace,
            Map<String, Long> reached,
            List<Simulation.Report> bad) {

        public boolean isGood() {
            return bad.isEmpty();
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(runs + " runs, " + events + " events, " + duplicates
                    + " duplicates, trace " + trace + ", " + bad.size() + " bad; reached " + reached);
            bad.forEach(report -> text.append("\n").append(report));
            return text.toString();
        }
    }

    /** Runs seeds on all processors; stops early after a few bad ones. */
    public static Result run(long firstSeed, int count) {
        return run(firstSeed, count, BAD_MAX);
    }

    /** Runs seeds one after the other on each processor; stops early after a number of bad ones. */
    public static Result run(long firstSeed, int count, int badMax) {
        AtomicLong next = new AtomicLong();
        AtomicLong runs = new AtomicLong();
        AtomicLong events = new AtomicLong();
        AtomicLong duplicates = new AtomicLong();
        AtomicLong trace = new AtomicLong();
        Map<String, Long> reached = new ConcurrentSkipListMap<>();
        List<Simulation.Report> bad = Collections.synchronizedList(new ArrayList<>());
        Callable<Void> worker = () -> {
            for (long i = next.getAndIncrement(); i < count && bad.size() < badMax; i = next.getAndIncrement()) {
                Simulation.Report report = Simulation.run(firstSeed + i);
                runs.incrementAndGet();
                events.addAndGet(report.events());
                duplicates.addAndGet(report.duplicates());
                trace.addAndGet(report.trace() * (2 * i + 1)); // A sum, since threads finish in any order.
                report.reached().forEach(what -> reached.merge(what, 1L, Long::sum));
                if (!report.isGood()) {
                    bad.add(report);
                }
            }
            return null;
        };
        runAll(worker);
        return new Result(runs.get(), events.get(), duplicates.get(), trace.get(), reached, List.copyOf(bad));
    }

    private static void runAll(Callable<Void> worker) {
        int threads = Runtime.getRuntime().availableProcessors();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Void>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                futures.add(pool.submit(worker));
            }
            for (Future<Void> future : futures) {
                future.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Prints the results of the seeds. A single seed is printed step by step; a seed that failed fails again. */
    public static void main(String[] args) {
        long first = args.length > 0 ? Long.parseLong(args[0]) : 0;
        int count = args.length > 1 ? Integer.parseInt(args[1]) : 1_000;
        if (count == 1) {
            Simulation.run(first, System.out::println);
        }
        Result result = run(first, count);
        System.out.println(result);
        if (!result.isGood()) {
            System.exit(1);
        }
    }
}
