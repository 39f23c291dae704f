package outbox.relay.wake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.model.WakeUp;
import outbox.spi.HotPath;
import outbox.spi.WakeUpChannel;
import outbox.util.KeyHash;
import outbox.util.SupervisedLoop;

/**
 * The hot path of an application whose events a relay delivers: after commit it wakes the relay, here or elsewhere.
 *
 * <p>Business threads leave word and go on. One thread sends it, on the channel's own connection, and rests for a
 * moment: longer the more lanes it has just told of, so that in a steady flow several commits share a message. What is
 * left while it sends is sent by the next turn, so the last word is never swallowed.
 */
public final class WakeUpSender implements HotPath, AutoCloseable {

    private static final int LANES_MAX = 16;
    private static final Duration INTERVAL = Duration.ofMillis(1);

    /** By which the rest grows with each lane, until as many commits share a message as come within it. */
    private static final Duration INTERVAL_PER_LANE = Duration.ofNanos(500_000);

    private static final Duration INTERVAL_MAX = Duration.ofMillis(5);

    /** For who commits without a pause: each message costs the database, its listener and the relay a look. */
    private static final Duration INTERVAL_ANY = Duration.ofMillis(10);

    private static final Duration STOP_WAIT = Duration.ofSeconds(2);

    private final WakeUpChannel channel;
    private final IntPredicate wakesHere;
    private final SupervisedLoop loop;
    private final Semaphore word = new Semaphore(0);

    /** Lanes to be told of; guarded by itself. Beyond the limit it is "any". */
    private final Set<Integer> lanes = new HashSet<>();

    private boolean any; // guarded by lanes

    /** For an application without a relay of its own. */
    public WakeUpSender(WakeUpChannel channel) {
        this(channel, lane -> false);
    }

    /**
     * For an application that may have a relay of its own.
     *
     * @param wakesHere wakes the owner of a lane's slot if that is in this process, and says whether it was
     */
    public WakeUpSender(WakeUpChannel channel, IntPredicate wakesHere) {
        this.channel = channel;
        this.wakesHere = wakesHere;
        this.loop = new SupervisedLoop("outbox-wake-up-sender", this::turn);
    }

    public WakeUpSender start() {
        loop.start();
        return this;
    }

    @Override
    public Handover prepare() {
        return new Handover() {
            @Override
            public @Nullable ClaimTerms claim() {
                return null;
            }

            @Override
            public void committed(List<EventEnvelope> events) {
                WakeUpSender.this.committed(events);
            }
        };
    }

    private void committed(List<EventEnvelope> events) {
        List<Integer> elsewhere = new ArrayList<>();
        for (EventEnvelope event : events) {
            String key = event.orderingKey();
            int lane = KeyHash.of(key == null ? event.eventId() : key);
            if (!wakesHere.test(lane)) {
                elsewhere.add(lane);
            }
        }
        if (!elsewhere.isEmpty()) {
            leaveWord(elsewhere);
        }
    }

    private void leaveWord(List<Integer> some) {
        synchronized (lanes) {
            lanes.addAll(some);
            if (lanes.size() > LANES_MAX) {
                lanes.clear();
                any = true;
            }
        }
        word.release();
    }

    private boolean turn() throws InterruptedException {
        if (word.tryAcquire(1, TimeUnit.SECONDS)) {
            loop.rest(sendOnce());
        }
        return true;
    }

    /** Sends what was left so far, as one message, and returns how long to rest; zero when there was nothing. */
    Duration sendOnce() {
        word.drainPermits();
        WakeUp wakeUp;
        synchronized (lanes) {
            if (lanes.isEmpty() && !any) {
                return Duration.ZERO;
            }
            wakeUp = any ? WakeUp.ANY : new WakeUp(lanes);
            lanes.clear();
            any = false;
        }
        channel.send(wakeUp);
        return restAfter(wakeUp);
    }

    // A thousand commits per second have a message every 2 ms, two hundred have one each.
    private static Duration restAfter(WakeUp told) {
        if (told.equals(WakeUp.ANY)) {
            return INTERVAL_ANY;
        }
        Duration rest =
                INTERVAL.plus(INTERVAL_PER_LANE.multipliedBy(told.lanes().size()));
        return rest.compareTo(INTERVAL_MAX) < 0 ? rest : INTERVAL_MAX;
    }

    @Override
    public void close() {
        loop.stop();
        word.release();
        try {
            if (!loop.join(STOP_WAIT)) {
                loop.interrupt();
            }
        } catch (InterruptedException e) {
            loop.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
