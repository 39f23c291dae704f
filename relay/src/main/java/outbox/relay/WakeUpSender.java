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
 * <p>Business threads only note their lanes. One thread sends them, on the channel's own connection, and then rests for a
 * moment: longer the faster events come, so that in a steady flow several commits share a message; but not longer because
 * many have gathered while sending was blocked, since those are late already. Lanes that are noted while it sends are sent
 * with the next message, so none is lost.
 */
public final class WakeUpSender implements HotPath, AutoCloseable {

    private static final int LANES_MAX = 16;
    /** More than this many come from publishers that commit without a pause. */
    private static final double EVENTS_PER_MILLI_MAX = 4;

    private final WakeUpChannel channel;
    private final IntPredicate wakesHere;
    private final TimeSource time;
    private final SupervisedLoop loop;
    private final Semaphore wakeUps = new Semaphore(0);

    /** Lanes with new events; guarded by itself. Above the limit, any lane is woken. */
    private final Set<Integer> lanes = new HashSet<>();

    private boolean any; // guarded by lanes
    private int events; // guarded by lanes

    /** When the last message was made. Used only by the sending thread. */
    private long notifiedNanos;

    /** For an application without a relay of its own. */
    public WakeUpSender(WakeUpChannel channel) {
        this(channel, lane -> false);
    }

    /**
     * For an application that may have a relay of its own.
     *
     * @param wakesHere wakes the owner of a lane if it is in this process; false if it is not
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

    /** Sends what was noted so far, as one message, and returns how long to rest; zero when there was nothing. */
    Duration sendOnce() {
        wakeUps.drainPermits();
        WakeUp wakeUp;
        int sent;
        synchronized (lanes) {
            if (lanes.isEmpty() && !any) {
                return Duration.ZERO;
            }
            wakeUp = any ? WakeUp.ANY : new WakeUp(lanes);
            sent = events;
            lanes.clear();
            any = false;
            events = 0;
        }
        Duration rest = restAfter(sent);
        channel.send(wakeUp);
        return rest;
    }

    // Each message costs the database, its listener and the relay a fetch, so the rest grows by the shortest with each
    // event that comes in a millisecond. A thousand events in a second have a message every 2 ms, two hundred have one
    // each.
    private Duration restAfter(int sent) {
        long now = time.nanoTime();
        Duration least = Pacing.MEASURED.wakeUpMin();
        double millis = Math.max(least.toNanos(), now - notifiedNanos) / 1e6;
        notifiedNanos = now;
        double perMilli = sent / millis;
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
