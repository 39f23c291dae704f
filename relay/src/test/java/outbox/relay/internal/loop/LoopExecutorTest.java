package outbox.relay.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.relay.internal.model.Pacing;
import outbox.spi.TimeSource;
import outbox.testkit.World;

class LoopExecutorTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final LoopExecutor pool = new LoopExecutor(2, TimeSource.SYSTEM, Pacing.MEASURED).start();

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void givesATurnAtOnceAndAgainWhenABodyIsWoken() {
        AtomicInteger runs = new AtomicInteger();
        LoopScheduler.Handle handle = pool.add("body", () -> {
            runs.incrementAndGet();
            return LONG;
        });
        World.await("its first run", () -> runs.get() == 1);

        handle.wake();

        World.await("its second run", () -> runs.get() == 2);
    }

    @Test
    void givesTurnsAgainAfterTheRest() {
        AtomicInteger runs = new AtomicInteger();
        pool.add("body", () -> {
            runs.incrementAndGet();
            return Duration.ofMillis(1);
        });

        World.await("ten runs", () -> runs.get() >= 10);
    }

    @Test
    void keepsAWakeUpThatComesDuringATurn() {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch woken = new CountDownLatch(1);
        LoopScheduler.Handle handle = pool.add("body", () -> {
            if (runs.incrementAndGet() == 1) {
                await(woken);
            }
            return LONG;
        });
        World.await("its first run has begun", () -> runs.get() == 1);
        handle.wake();
        woken.countDown();

        World.await("another follows", () -> runs.get() == 2);
    }

    @Test
    void givesOneBodyOneTurnAtATime() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        LoopScheduler.Handle handle = pool.add("body", () -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            runs.incrementAndGet();
            inside.decrementAndGet();
            return Duration.ZERO;
        });

        World.await("many runs", () -> {
            handle.wake();
            return runs.get() > 2_000;
        });

        assertThat(most).hasValue(1);
    }

    @Test
    void givesNoTurnAfterTheEnd() {
        AtomicInteger runs = new AtomicInteger();
        Semaphore go = new Semaphore(0);
        LoopScheduler.Handle ended = pool.add("ended", () -> {
            runs.incrementAndGet();
            go.acquireUninterruptibly();
            return Duration.ZERO;
        });
        World.await("its run has begun", () -> runs.get() == 1);
        ended.end();
        ended.wake();
        go.release(10);
        AtomicInteger others = new AtomicInteger();
        pool.add("other", () -> {
            others.incrementAndGet();
            return Duration.ofMillis(1);
        });
        World.await("the other runs on", () -> others.get() > 20);

        assertThat(runs).hasValue(1);
    }

    @Test
    void goesOnAfterABodyThatFails() {
        List<String> runs = new CopyOnWriteArrayList<>();
        pool.add("failing", () -> {
            runs.add("failing");
            throw new IllegalStateException("fails on purpose");
        });
        pool.add("other", () -> {
            runs.add("other");
            return LONG;
        });

        World.await(
                "both, and the failing one again",
                () -> runs.contains("other")
                        && runs.stream().filter("failing"::equals).count() >= 2);
    }

    @Test
    void letsABodyThatWaitsNotKeepTheOthers() {
        CountDownLatch end = new CountDownLatch(1);
        pool.add("slow", () -> {
            await(end);
            return LONG;
        });
        AtomicInteger runs = new AtomicInteger();
        pool.add("fast", () -> {
            runs.incrementAndGet();
            return Duration.ZERO;
        });

        World.await("the other runs on", () -> runs.get() > 10);
        end.countDown();
    }

    /** Who has watched the clock for the first of them is busy with it, and the other thread waits to be called. */
    @Test
    void letsABodyThatWaitsNotKeepTheOneThatIsDueAfterIt() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger slow = new AtomicInteger();
        pool.add("slow", () -> {
            if (slow.incrementAndGet() == 2) {
                await(end);
            }
            return Duration.ofMillis(50);
        });
        World.await("the slow one is watched", () -> slow.get() == 1);
        AtomicInteger fast = new AtomicInteger();
        pool.add("fast", () -> {
            fast.incrementAndGet();
            return Duration.ofMillis(70);
        });
        World.await("the slow one waits", () -> slow.get() == 2);
        int before = fast.get();

        World.await("the other runs on", () -> fast.get() > before);
        end.countDown();
    }

    /** Only the thread that watches the clock knows the time, and it may be called away; nothing may be forgotten by that. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void forgetsNobodyHoweverWakeUpsAndTimesMeet(int threads) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(7);
        List<AtomicInteger> counts = new ArrayList<>();
        try (LoopExecutor many = new LoopExecutor(threads, TimeSource.SYSTEM, Pacing.MEASURED).start()) {
            List<LoopScheduler.Handle> handles = new ArrayList<>();
            for (int body = 0; body < 8; body++) {
                AtomicInteger runs = new AtomicInteger();
                Duration rest = body % 2 == 0 ? LONG : Duration.ofNanos(random.nextInt(1, 300_000));
                counts.add(runs);
                handles.add(many.add("body " + body, () -> {
                    runs.incrementAndGet();
                    return rest;
                }));
            }
            for (int round = 0; round < 400; round++) {
                List<Integer> woken = List.of(random.nextInt(8), random.nextInt(8), random.nextInt(8));
                List<Integer> before = counts.stream().map(AtomicInteger::get).toList();
                woken.forEach(body -> handles.get(body).wake());
                World.await(
                        "runs of " + woken,
                        () -> woken.stream().allMatch(body -> counts.get(body).get() > before.get(body)));
            }
            List<Integer> before = counts.stream().map(AtomicInteger::get).toList();
            World.await(
                    "runs of those that rest for a moment",
                    () -> IntStream.of(1, 3, 5, 7)
                            .allMatch(body -> counts.get(body).get() > before.get(body) + 10));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
