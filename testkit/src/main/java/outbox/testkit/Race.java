package outbox.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs several bodies at the same time, each on a thread of its own, and fails when one of them does. */
final class Race {

    private static final long SECONDS_MAX = 60;

    private Race() {}

    static void between(List<Runnable> racers) {
        List<Callable<Boolean>> tasks = new ArrayList<>();
        racers.forEach(racer -> tasks.add(() -> {
            racer.run();
            return true;
        }));
        try (ExecutorService threads = Executors.newFixedThreadPool(racers.size())) {
            for (Future<Boolean> end : threads.invokeAll(tasks, SECONDS_MAX, TimeUnit.SECONDS)) {
                end.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("a racer failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the race was interrupted", e);
        }
    }
}
