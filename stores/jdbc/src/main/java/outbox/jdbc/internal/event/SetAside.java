package outbox.jdbc.internal.event;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import outbox.OutboxException;
import outbox.StoreUnavailableException;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.TimeSource;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PeekRequest;

/**
 * Keeps one bad row from stopping its slot. A row that cannot be read is dead, and the look is repeated without it. If the
 * database refuses that too, the row's lane is left out of all looks for a while, and then it is tried again.
 */
public final class SetAside {

    private static final Logger LOG = System.getLogger(SetAside.class.getName());
    private static final int LOOKS_MAX = 100;
    private static final long LEFT_OUT_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MEND_NANOS = Duration.ofMinutes(1).toNanos();

    private final TimeSource time;
    /** Lanes whose rows cannot be written, and until when they are left out. Any thread writes and reads it. */
    private final Map<Integer, Long> leftOut = new ConcurrentHashMap<>();
    /** When stray rows are to be looked for; taken by one of the threads that poll. */
    private final AtomicLong mendAtNanos;

    public SetAside(TimeSource time) {
        this.time = time;
        this.mendAtNanos = new AtomicLong(time.nanoTime());
    }

    /** What is done about a bad row, in a transaction of its own. */
    @FunctionalInterface
    public interface Repair {
        void of(StoredRow row);
    }

    /** A row that a look met, and its lane. */
    public record Met(StoredRow row, int lane) {}

    /** Repeats a look until everything that it shows can be read; what cannot be read it hands over. */
    public <T> T without(Repair repair, Function<Consumer<Met>, T> look) {
        for (int looks = 0; looks < LOOKS_MAX; looks++) {
            List<Met> met = new ArrayList<>(0);
            T seen = look.apply(met::add);
            if (met.isEmpty()) {
                return seen;
            }
            met.forEach(each -> setAside(each, repair));
        }
        throw new OutboxException("there are too many events that cannot be read");
    }

    private void setAside(Met met, Repair repair) {
        try {
            repair.of(met.row());
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (OutboxException e) {
            if (leftOut.put(met.lane(), time.nanoTime() + LEFT_OUT_NANOS) == null) {
                LOG.log(
                        Level.ERROR,
                        "event " + SqlFailure.oneLine(met.row().event().eventId()) + " cannot be read ("
                                + met.row().fault() + ") and cannot be set dead; its key waits, and others go on: "
                                + SqlFailure.line(e));
            }
        }
    }

    /** Whether stray rows are to be looked for now; true for one of those who ask. */
    public boolean isTimeToMend() {
        long due = mendAtNanos.get();
        return time.nanoTime() - due >= 0 && mendAtNanos.compareAndSet(due, time.nanoTime() + MEND_NANOS);
    }

    /** Whether reads leave out a lane, so that what they show is not all there is. */
    public boolean leavesOut() {
        return !leftOut.isEmpty();
    }

    private Set<Integer> with(Set<Integer> lanes) {
        if (leftOut.isEmpty()) {
            return lanes;
        }
        long now = time.nanoTime();
        leftOut.values().removeIf(until -> now - until >= 0);
        Set<Integer> all = new HashSet<>(lanes);
        all.addAll(leftOut.keySet());
        return all;
    }

    public PartitionFetch of(PartitionFetch request) {
        return leftOut.isEmpty()
                ? request
                : new PartitionFetch(
                        request.terms(),
                        request.partition(),
                        request.afterSeq(),
                        request.numbering(),
                        with(request.lanesLeftOut()),
                        request.inMemoryIds(),
                        request.eventsMax(),
                        request.bytesMax());
    }

    /** Of the lanes that are asked for, those that are not left out. */
    public Set<Integer> of(LaneFetch request) {
        Set<Integer> lanes = new LinkedHashSet<>(request.lanes());
        lanes.removeAll(with(Set.of()));
        return lanes;
    }

    public PeekRequest of(PeekRequest request) {
        return leftOut.isEmpty()
                ? request
                : new PeekRequest(
                        request.terms(),
                        request.positions().stream()
                                .map(position -> new PeekRequest.Position(
                                        position.partition(),
                                        position.afterSeq(),
                                        position.numbering(),
                                        with(position.lanesLeftOut())))
                                .toList(),
                        request.dueSince());
    }
}
