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
 * Keeps one bad row from stopping its partition. A row that cannot be read is set dead, and the read is repeated without
 * it. If the database refuses that too, every read leaves out the row's lane for a while, and then tries it again.
 */
public final class SetAside {

    private static final Logger LOG = System.getLogger(SetAside.class.getName());
    private static final int READS_MAX = 100;
    private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

    private final TimeSource time;
    /** Lanes whose rows cannot be written, and until when they are left out. Any thread writes and reads it. */
    private final Map<Integer, Long> leftOut = new ConcurrentHashMap<>();
    /** When the next search for stray rows is due; taken by one of the threads that poll. */
    private final AtomicLong repairAtNanos;

    public SetAside(TimeSource time) {
        this.time = time;
        this.repairAtNanos = new AtomicLong(time.nanoTime());
    }

    /** A row that a read met, and its lane. */
    public record BadRow(StoredRow row, int lane) {}

    /**
     * Repeats a read until it meets no bad row.
     *
     * @param repair repairs a bad row, in a transaction of its own
     * @param read reads, and hands over each bad row that it meets
     */
    public <T> T untilReadable(Consumer<StoredRow> repair, Function<Consumer<BadRow>, T> read) {
        for (int reads = 0; reads < READS_MAX; reads++) {
            List<BadRow> bad = new ArrayList<>(0);
            T result = read.apply(bad::add);
            if (bad.isEmpty()) {
                return result;
            }
            bad.forEach(each -> setAside(each, repair));
        }
        throw new OutboxException("there are too many events that cannot be read");
    }

    private void setAside(BadRow bad, Consumer<StoredRow> repair) {
        try {
            repair.accept(bad.row());
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (OutboxException e) {
            if (leftOut.put(bad.lane(), time.nanoTime() + PERIOD_NANOS) == null) {
                LOG.log(
                        Level.ERROR,
                        "event " + SqlFailure.oneLine(bad.row().event().eventId()) + " cannot be read ("
                                + bad.row().fault() + ") and cannot be set dead; its key waits, and others continue: "
                                + SqlFailure.line(e));
            }
        }
    }

    /** Whether stray rows are to be repaired now; true for one of the threads that ask. */
    public boolean isRepairDue() {
        long due = repairAtNanos.get();
        return time.nanoTime() - due >= 0 && repairAtNanos.compareAndSet(due, time.nanoTime() + PERIOD_NANOS);
    }

    /** Whether reads leave out a lane, so that they do not show all there is. */
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
