package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.testkit.World;
import outbox.util.TimeSource;

class TurnPoolTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final TurnPool pool = new TurnPool(2, TimeSource.SYSTEM).start();

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void givesATurnAtOnceAndAgainWhenABodyIsWoken() {
        AtomicInteger turns = new AtomicInteger();
        Turns.Handle handle = pool.add("body", () -> {
            turns.incrementAndGet();
            return LONG;
        });
        World.await("its first turn", () -> turns.get() == 1);

        handle.wake();

        World.await("its second turn", () -> turns.get() == 2);
    }

    @Test
    void givesTurnsAgainAfterTheRest() {
        AtomicInteger turns = new AtomicInteger();
        pool.add("body", () -> {
            turns.incrementAndGet();
            return Duration.ofMillis(1);
        });

        World.await("ten turns", () -> turns.get() >= 10);
    }

    @Test
    void keepsAWakeUpThatComesDuringATurn() {
        AtomicInteger turns = new AtomicInteger();
        CountDownLatch woken = new CountDownLatch(1);
        Turns.Handle handle = pool.add("body", () -> {
            if (turns.incrementAndGet() == 1) {
                await(woken);
            }
            return LONG;
        });
        World.await("its first turn has begun", () -> turns.get() == 1);
        handle.wake();
        woken.countDown();

        World.await("another follows", () -> turns.get() == 2);
    }

    @Test
    void givesOneBodyOneTurnAtATime() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger turns = new AtomicInteger();
        Turns.Handle handle = pool.add("body", () -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            turns.incrementAndGet();
            inside.decrementAndGet();
            return Duration.ZERO;
        });

        World.await("many turns", () -> {
            handle.wake();
            return turns.get() > 2_000;
        });

        assertThat(most).hasValue(1);
    }

    @Test
    void givesNoTurnAfterTheEnd() {
        AtomicInteger turns = new AtomicInteger();
        Semaphore go = new Semaphore(0);
        Turns.Handle ended = pool.add("ended", () -> {
            turns.incrementAndGet();
            go.acquireUninterruptibly();
            return Duration.ZERO;
        });
        World.await("its turn has begun", () -> turns.get() == 1);
        ended.end();
        ended.wake();
        go.release(10);
        AtomicInteger others = new AtomicInteger();
        pool.add("other", () -> {
            others.incrementAndGet();
            return Duration.ofMillis(1);
        });
        World.await("the other goes on", () -> others.get() > 20);

        assertThat(turns).hasValue(1);
    }

    @Test
    void goesOnAfterABodyThatFails() {
        List<String> turns = new CopyOnWriteArrayList<>();
        pool.add("failing", () -> {
            turns.add("failing");
            throw new IllegalStateException("fails on purpose");
        });
        pool.add("other", () -> {
            turns.add("other");
            return LONG;
        });

        World.await(
                "both, and the failing one again",
                () -> turns.contains("other")
                        && turns.stream().filter("failing"::equals).count() >= 2);
    }

    @Test
    void letsABodyThatWaitsNotKeepTheOthers() {
        CountDownLatch end = new CountDownLatch(1);
        pool.add("slow", () -> {
            await(end);
            return LONG;
        });
        AtomicInteger turns = new AtomicInteger();
        pool.add("fast", () -> {
            turns.incrementAndGet();
            return Duration.ZERO;
        });

        World.await("the other goes on", () -> turns.get() > 10);
        end.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
