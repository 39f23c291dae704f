package catbox.bench.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs business transactions with events, at a rate or as fast as possible. Each thread has its own schedule and
 * catches up when it is late. A key belongs to one thread, so that its events commit in the order of their numbers.
 *
 * @param perSecond zero for as fast as possible
 */
record Publishing(Contender contender, EventPlan plan, int perSecond, int threads, int secondsMax) {

    static Publishing of(Contender contender, Map<String, String> words) {
        return new Publishing(
                contender,
                EventPlan.of(words),
                Integer.parseInt(words.getOrDefault("rate", "0")),
                Integer.parseInt(words.getOrDefault("threads", "1")),
                Integer.parseInt(words.getOrDefault("seconds", "3600")));
    }

    Publishing {
        if (threads < 1 || plan.keys() % threads != 0 || (plan.hotPercent() > 0 && threads > 1)) {
            throw new IllegalArgumentException(threads + " threads cannot share " + plan.keys() + " keys, "
                    + plan.hotPercent() + " % hot; allowed is a divisor of the keys, or 1 with a hot key");
        }
    }

    /**
     * Returns the commit time of each event, by its position in the plan; zero for events for which no time was left.
     */
    long[] run() throws Exception {
        long[] committedMicros = new long[plan.events()];
        long begun = System.nanoTime();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = thread;
                all.add(pool.submit(() -> {
                    for (int place = first; place < plan.events() && isTime(begun); place += threads) {
                        awaitTurn(begun, place);
                        contender.publish(plan.at(place));
                        committedMicros[place] = Progress.nowMicros();
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        return committedMicros;
    }

    private boolean isTime(long begun) {
        return System.nanoTime() - begun < secondsMax * 1_000_000_000L;
    }

    private void awaitTurn(long begun, int place) {
        if (perSecond > 0) {
            long due = begun + place * 1_000_000_000L / perSecond;
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
    }
}
