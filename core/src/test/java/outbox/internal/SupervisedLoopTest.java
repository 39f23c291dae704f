package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class SupervisedLoopTest {

    private static final Duration LONG = Duration.ofSeconds(10);

    private final Logger logger = Logger.getLogger(SupervisedLoop.class.getName());
    private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void recordTheLog() {
        logger.setUseParentHandlers(false);
        logger.addHandler(recorder);
    }

    @AfterEach
    void restoreTheLog() {
        logger.removeHandler(recorder);
        logger.setUseParentHandlers(true);
    }

    @Test
    void goesOnAfterAFailure() throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        CountDownLatch third = new CountDownLatch(1);
        SupervisedLoop loop = new SupervisedLoop("sturdy", () -> {
                    switch (turns.incrementAndGet()) {
                        case 1 -> throw new IllegalStateException("store is down");
                        case 2 -> throw new NoClassDefFoundError("outbox/Missing");
                        default -> third.countDown();
                    }
                    return false;
                })
                .start();

        assertThat(third.await(LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(loop.join(LONG)).isTrue();
        assertThat(turns).hasValue(3);
        assertThat(logged)
                .extracting(LogRecord::getThrown)
                .hasExactlyElementsOfTypes(IllegalStateException.class, NoClassDefFoundError.class);
        assertThat(logged.get(0).getMessage()).contains("sturdy", "store is down");
        assertThat(logged.get(1).getMessage()).contains("sturdy", "outbox/Missing");
    }

    @Test
    void survivesALogThatFails() throws InterruptedException {
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                throw new NoClassDefFoundError("the log's own");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(broken);
        try {
            AtomicInteger turns = new AtomicInteger();
            SupervisedLoop loop = new SupervisedLoop("unheard", () -> {
                        if (turns.incrementAndGet() < 3) {
                            throw new IllegalStateException("store is down");
                        }
                        return false;
                    })
                    .start();

            assertThat(loop.join(LONG)).isTrue();
            assertThat(turns).hasValue(3);
        } finally {
            logger.removeHandler(broken);
        }
    }

    @Test
    void survivesAFailureThatCannotSayWhatItIs() throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        SupervisedLoop loop = new SupervisedLoop("speechless", () -> {
                    if (turns.incrementAndGet() == 1) {
                        throw new IllegalStateException() {
                            private static final long serialVersionUID = 1L;

                            @Override
                            public String getMessage() {
                                throw new StackOverflowError();
                            }
                        };
                    }
                    return false;
                })
                .start();

        assertThat(loop.join(LONG)).isTrue();
        assertThat(turns).hasValue(2);
    }

    @Test
    void saysWhetherItHasEndedUnasked() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        SupervisedLoop loop = new SupervisedLoop("mortal", () -> {
            goOn.await();
            return false;
        });
        assertThat(loop.hasEndedUnexpectedly()).describedAs("before its start").isFalse();
        loop.start();
        assertThat(loop.hasEndedUnexpectedly()).describedAs("while it runs").isFalse();
        goOn.countDown();
        assertThat(loop.join(LONG)).isTrue();
        assertThat(loop.hasEndedUnexpectedly()).isTrue();

        SupervisedLoop stopped = new SupervisedLoop("stopped", () -> true).start();
        stopped.stop();
        assertThat(stopped.join(LONG)).isTrue();
        assertThat(stopped.hasEndedUnexpectedly()).isFalse();
    }

    @Test
    void endsWhenTheBodyWantsNoOtherTurn() throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        SupervisedLoop loop = new SupervisedLoop("three", () -> turns.incrementAndGet() < 3).start();

        assertThat(loop.join(LONG)).isTrue();
        assertThat(turns).hasValue(3);
        assertThat(logged).isEmpty();
    }

    @Test
    void letsTheTurnUnderWayFinishWhenStopped() throws InterruptedException {
        AtomicInteger finished = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        SupervisedLoop loop = new SupervisedLoop("polite", () -> {
                    begun.countDown();
                    goOn.await();
                    finished.incrementAndGet();
                    return true;
                })
                .start();
        begun.await();
        loop.stop();

        assertThat(loop.join(Duration.ofMillis(1))).isFalse();
        goOn.countDown();
        assertThat(loop.join(LONG)).isTrue();
        assertThat(finished).hasValue(1);
    }

    @Test
    void endsItsRestWhenStopped() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<SupervisedLoop> self = new AtomicReference<>();
        SupervisedLoop loop = new SupervisedLoop("resting", () -> {
            begun.countDown();
            self.get().rest(Duration.ofDays(1));
            return true;
        });
        self.set(loop);
        loop.start();
        begun.await();
        loop.stop();

        assertThat(loop.join(LONG)).isTrue();
    }

    @Test
    void endsItsRestAfterAFailureWhenStopped() throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        CountDownLatch failed = new CountDownLatch(3);
        SupervisedLoop loop = new SupervisedLoop("failing", () -> {
                    turns.incrementAndGet();
                    failed.countDown();
                    throw new IllegalStateException("down");
                })
                .start();
        failed.await();
        loop.stop();

        assertThat(loop.join(LONG)).isTrue();
        assertThat(turns).hasValueBetween(3, 4);
    }

    @Test
    void wakesAWaitingTurnWhenInterrupted() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean woken = new AtomicBoolean();
        SupervisedLoop loop = new SupervisedLoop("waiting", () -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        woken.set(true);
                    }
                    return true;
                })
                .start();
        begun.await();
        loop.interrupt();

        assertThat(loop.join(LONG)).isTrue();
        assertThat(woken).isTrue();
        assertThat(logged).isEmpty();
    }

    @Test
    void takesNoTurnWhenStoppedBeforeItsStart() throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        SupervisedLoop loop = new SupervisedLoop("late", () -> turns.incrementAndGet() > 0);
        loop.stop();
        loop.start();

        assertThat(loop.join(LONG)).isTrue();
        assertThat(turns).hasValue(0);
    }

    @Test
    void keepsNobodyWaitingWhenItNeverStarted() throws InterruptedException {
        assertThat(new SupervisedLoop("never", () -> true).join(LONG)).isTrue();
    }

    @Test
    void doesNotWaitForItself() throws InterruptedException {
        AtomicReference<SupervisedLoop> self = new AtomicReference<>();
        AtomicBoolean joined = new AtomicBoolean();
        SupervisedLoop loop = new SupervisedLoop("own", () -> {
            joined.set(self.get().join(Duration.ofDays(1)));
            return false;
        });
        self.set(loop);
        loop.start();

        assertThat(loop.join(LONG)).isTrue();
        assertThat(joined).isTrue();
    }

    @Test
    void runsOnADaemonThreadOfItsName() throws InterruptedException {
        AtomicReference<Thread> thread = new AtomicReference<>();
        SupervisedLoop loop = new SupervisedLoop("outbox-example", () -> {
                    thread.set(Thread.currentThread());
                    return false;
                })
                .start();

        assertThat(loop.join(LONG)).isTrue();
        assertThat(thread.get().getName()).isEqualTo("outbox-example");
        assertThat(thread.get().isDaemon()).isTrue();
    }
}
