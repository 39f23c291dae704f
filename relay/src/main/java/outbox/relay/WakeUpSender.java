package outbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.SupervisedLoop;
import outbox.model.ClaimTerms;
import outbox.relay.internal.model.Pacing;
import outbox.spi.HotPath;
import outbox.spi.TimeSource;
import outbox.spi.relay.WakeUp;
import outbox.spi.relay.WakeUpChannel;

/**
 * The hot path of an application whose events a relay delivers: after commit it wakes the relay, here or elsewhere.
 *
 * <p>Business threads leave word and go on. One thread sends it, on the channel's own connection, and rests for a
 * moment: longer the faster events come, so that in a steady flow several commits share a message; but not because many
 * have gathered while it was kept from sending, which are late as it is. What is left while it sends is sent by the next
 * turn, so the last word is never swallowed.
 */
public final class WakeUpSender implements HotPath, AutoCloseable {

    private static final int LANES_MAX = 16;
    /** So many in a millisecond come from publishers that commit without a pause. */
    private static final double EVENTS_PER_MILLI_MAX = 4;

    private final WakeUpChannel channel;
    private final IntPredicate wakesHere;
    private final TimeSource time;
    private final SupervisedLoop loop;
    private final Semaphore wakeUps = new Semaphore(0);

    /** Lanes to be told of; guarded by itself. Beyond the limit it is "any". */
    private final Set<Integer> lanes = new HashSet<>();

    private boolean any; // guarded by lanes
    private int events; // guarded by lanes

    /** When the last message was made. Of the sending thread alone. */
    private long notifiedNanos;

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
        this(channel, wakesHere, TimeSource.SYSTEM);
    }

    WakeUpSender(WakeUpChannel channel, IntPredicate wakesHere, TimeSource time) {
        this.channel = channel;
        this.wakesHere = wakesHere;
        this.time = time;
        this.notifiedNanos = time.nanoTime();
        this.loop = new SupervisedLoop("outbox-wake-up-sender", this::iteration);
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
            if (!wakesHere.test(event.laneHash())) {
                elsewhere.add(event.laneHash());
            }
        }
        if (!elsewhere.isEmpty()) {
            request(elsewhere);
        }
    }

    private void request(List<Integer> some) {
        synchronized (lanes) {
            events += some.size();
            lanes.addAll(some);
            if (lanes.size() > LANES_MAX) {
                lanes.clear();
                any = true;
            }
        }
        wakeUps.release();
    }

    /** The name of its thread if that has ended although this is open: only a new process helps. Any thread. */
    public List<String> endedLoops() {
        return SupervisedLoop.ended(Stream.of(loop));
    }

    private boolean iteration() throws InterruptedException {
        if (wakeUps.tryAcquire(1, TimeUnit.SECONDS)) {
            loop.rest(sendOnce());
        }
        return true;
    }

    /** Sends what was left so far, as one message, and returns how long to rest; zero when there was nothing. */
    Duration sendOnce() {
        wakeUps.drainPermits();
        WakeUp wakeUp;
        int told;
        synchronized (lanes) {
            if (lanes.isEmpty() && !any) {
                return Duration.ZERO;
            }
            wakeUp = any ? WakeUp.ANY : new WakeUp(lanes);
            told = events;
            lanes.clear();
            any = false;
            events = 0;
        }
        Duration rest = restAfter(told);
        channel.send(wakeUp);
        return rest;
    }

    // Each message costs the database, its listener and the relay a fetch, so the rest grows by the shortest with each
    // event that comes in a millisecond. A thousand events in a second have a message every 2 ms, two hundred have one
    // each.
    private Duration restAfter(int told) {
        long now = time.nanoTime();
        Duration least = Pacing.MEASURED.wakeUpMin();
        double millis = Math.max(least.toNanos(), now - notifiedNanos) / 1e6;
        notifiedNanos = now;
        double perMilli = told / millis;
        return perMilli > EVENTS_PER_MILLI_MAX
                ? Pacing.MEASURED.wakeUpMax()
                : least.plusNanos((long) (perMilli * least.toNanos()));
    }

    @Override
    public void close() {
        loop.stop();
        wakeUps.release();
        try {
            if (!loop.join(SupervisedLoop.STOP_WAIT)) {
                loop.interrupt();
            }
        } catch (InterruptedException e) {
            loop.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
