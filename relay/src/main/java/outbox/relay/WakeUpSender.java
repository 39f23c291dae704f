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
 * The hot path of an application whose events a relay delivers: it wakes the relay after a commit, in this process or
 * another.
 *
 * <p>Business threads record their lanes and continue. One thread sends them on the channel's own connection, and then
 * pauses: the faster events come, the longer, so that several commits share a message. Events that gathered while it
 * could not send do not prolong the pause, because they are late already. Lanes that are recorded while it sends are
 * sent by the next iteration, so the last wake-up is never lost.
 */
public final class WakeUpSender implements HotPath, AutoCloseable {

    private static final int LANES_MAX = 16;
    /** Above this rate, publishers commit without a pause. */
    private static final double EVENTS_PER_MILLI_MAX = 4;

    private final WakeUpChannel channel;
    private final IntPredicate wakesHere;
    private final TimeSource time;
    private final SupervisedLoop loop;
    private final Semaphore wakeUps = new Semaphore(0);

    /** The lanes of the next message; guarded by itself. Above the limit the message names none. */
    private final Set<Integer> lanes = new HashSet<>();

    private boolean any; // guarded by lanes
    private int events; // guarded by lanes

    /** When the last message was sent. Used by the sending thread only. */
    private long notifiedNanos;

    /** For an application without its own relay. */
    public WakeUpSender(WakeUpChannel channel) {
        this(channel, lane -> false);
    }

    /**
     * For an application that may have its own relay.
     *
     * @param wakesHere wakes the owner of a lane's partition if it is in this process; returns whether it was
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

    /** The name of its thread if it has ended although this is open; only a new process repairs it. Any thread. */
    public List<String> endedLoops() {
        return SupervisedLoop.ended(Stream.of(loop));
    }

    private boolean iteration() throws InterruptedException {
        if (wakeUps.tryAcquire(1, TimeUnit.SECONDS)) {
            loop.rest(sendOnce());
        }
        return true;
    }

    /** Sends the recorded lanes as one message; returns how long to pause, zero when there were none. */
    Duration sendOnce() {
        wakeUps.drainPermits();
        WakeUp wakeUp;
        int notified;
        synchronized (lanes) {
            if (lanes.isEmpty() && !any) {
                return Duration.ZERO;
            }
            wakeUp = any ? WakeUp.ANY : new WakeUp(lanes);
            notified = events;
            lanes.clear();
            any = false;
            events = 0;
        }
        Duration rest = restAfter(notified);
        channel.send(wakeUp);
        return rest;
    }

    // Each message costs the database, its listener and the relay a fetch, so the pause grows by its minimum with each
    // event per millisecond. A thousand events in a second cause a message every 2 ms, two hundred cause one each.
    private Duration restAfter(int notified) {
        long now = time.nanoTime();
        Duration least = Pacing.MEASURED.wakeUpMin();
        double millis = Math.max(least.toNanos(), now - notifiedNanos) / 1e6;
        notifiedNanos = now;
        double perMilli = notified / millis;
        return perMilli > EVENTS_PER_MILLI_MAX
                ? Pacing.MEASURED.wakeUpMax()
                : least.plusNanos((long) (perMilli * least.toNanos()));
    }

    @Override
    public void close() {
        loop.stop();
        wakeUps.release();
        loop.awaitEnd();
    }
}
