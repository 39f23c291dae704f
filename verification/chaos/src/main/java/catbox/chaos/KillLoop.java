package catbox.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Kills one relay after another and starts it again, while events of every partition are written. */
final class KillLoop {

    private static final int KILLS = 6;
    private static final Duration WRITE_EVERY = Duration.ofMillis(50);

    private final Plan plan;
    private final CountDownLatch pause = new CountDownLatch(1);
    private final List<Kill> kills = new ArrayList<>();

    /**
     * Configures the loop.
     *
     * @param nodeTimeout time without a heartbeat after which a relay counts as dead
     * @param between two kills; zero for as long as the others need to deliver events of every partition, and to share
     * them with the relay that was started instead
     * @param away time between a relay's kill and its restart
     */
    record Plan(int nodes, Duration nodeTimeout, Duration between, Duration away, Path folder) {}

    /** A killed relay with the partitions that it owned. */
    record Kill(long at, String node, Set<Integer> partitions) {}

    /** A killed relay with the time until other relays delivered from its partitions. */
    record TakenOver(Kill kill, Duration after) {}

    /** The result; {@code begun} and {@code ended} are the times of the first and last kill. */
    record Result(List<Kill> kills, List<Entry> entries, long begun, long ended) {

        TakenOver slowest() {
            return kills.stream()
                    .map(kill -> new TakenOver(kill, after(kill)))
                    .max(Comparator.comparing(TakenOver::after))
                    .orElseThrow();
        }

        private Duration after(Kill kill) {
            long last = kill.at();
            for (int partition : kill.partitions()) {
                last = Math.max(
                        last,
                        entries.stream()
                                .filter(Entry.Acquired.class::isInstance)
                                .map(Entry.Acquired.class::cast)
                                .filter(entry -> entry.partition() == partition && entry.at() >= kill.at())
                                .mapToLong(Entry::at)
                                .min()
                                .orElse(Long.MAX_VALUE));
            }
            return Duration.of(last - kill.at(), ChronoUnit.MICROS);
        }

        /** Returns the longest time in which a partition had no delivery. */
        Duration longestSilence() {
            long longest = 0;
            for (int partition = 0; partition < Stage.PARTITIONS; partition++) {
                int of = partition;
                List<Long> times = new ArrayList<>(List.of(begun, ended));
                entries.stream()
                        .filter(Entry.Arrived.class::isInstance)
                        .map(Entry.Arrived.class::cast)
                        .filter(entry -> Stage.partitionOf(entry) == of)
                        .filter(entry -> entry.at() > begun && entry.at() < ended)
                        .forEach(entry -> times.add(entry.at()));
                Collections.sort(times);
                for (int n = 1; n < times.size(); n++) {
                    longest = Math.max(longest, times.get(n) - times.get(n - 1));
                }
            }
            return Duration.of(longest, ChronoUnit.MICROS);
        }
    }

    KillLoop(Plan plan) {
        this.plan = plan;
    }

    Result run() throws IOException, InterruptedException {
        try (Stage stage = new Stage(plan.folder(), plan.nodeTimeout())) {
            List<Child> relays = new ArrayList<>();
            for (int n = 0; n < plan.nodes(); n++) {
                relays.add(stage.startRelay());
            }
            Wait.until("each has its partitions", Child.WAIT_MAX, () -> Stage.haveShared(relays));
            Thread writing = stage.write(WRITE_EVERY);
            long begun = Clock.micros();
            killOneAfterTheOther(stage, relays);
            long ended = Clock.micros();
            stage.finish(writing);
            return new Result(List.copyOf(kills), stage.entries(), begun, ended);
        }
    }

    private void killOneAfterTheOther(Stage stage, List<Child> relays) throws IOException, InterruptedException {
        Queue<Long> returns = new ArrayDeque<>();
        for (int n = 0; n < KILLS; n++) {
            Child victim = relays.removeFirst(); // The oldest relay.
            Kill kill = new Kill(Clock.micros(), victim.name(), victim.owned());
            victim.kill();
            kills.add(kill);
            long now = Clock.micros();
            returns.add(now + Clock.micros(plan.away()));
            long next = now + Clock.micros(plan.between());
            while (!returns.isEmpty() && returns.element() <= next) {
                pauseUntil(returns.remove());
                relays.add(stage.startRelay());
            }
            pauseUntil(next);
            if (plan.between().isZero()) {
                Wait.until(
                        "the others have what " + kill + " had, and deliver it",
                        Child.WAIT_MAX,
                        () -> Stage.haveShared(relays)
                                && stage.deliveredSince(kill.at()).size() == Stage.PARTITIONS);
            }
        }
    }

    private void pauseUntil(long micros) throws InterruptedException {
        boolean ended = pause.await(micros - Clock.micros(), TimeUnit.MICROSECONDS);
        assert !ended;
    }
}
