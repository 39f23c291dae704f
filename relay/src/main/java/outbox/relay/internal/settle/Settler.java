package outbox.relay.internal.settle;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import outbox.relay.SettleConfig;
import outbox.relay.internal.model.Pacing;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;
import outbox.spi.TimeSource;

/** Gathers the settlements of one partition and writes them in batches. Not thread-safe. */
public final class Settler {

    private static final int BATCH_MAX = 2_000;
    /** Small enough for a slow store to write within its timeout. */
    private static final int BATCH_MIN = 10;
    /** How many times the duration of a write settlements wait for others. */
    private static final int LINGER_FACTOR = 3;

    private final SettleStore store;
    private final SettleRequest.Fence fence;
    private final String nodeId;
    private final SettleConfig config;
    private final Duration lingerMax;
    private final TimeSource time;
    private final ArrayDeque<SettleItem> waiting = new ArrayDeque<>();
    private final List<Acknowledgement> acknowledgements = new ArrayList<>();

    /** When the oldest of them came; meaningful only while there is one. */
    private long oldestNanos;

    private long writtenNanos;

    /** How many settlements the next batch has at most: half as many after each failure, twice as many after each success. */
    private int batchMax = BATCH_MAX;

    /** How long settlements wait at most, by the duration of the last write. */
    private Duration adaptedLinger = Duration.ZERO;

    public Settler(
            SettleStore store,
            SettleRequest.Fence fence,
            String nodeId,
            SettleConfig config,
            Pacing pacing,
            TimeSource time) {
        this.store = store;
        this.fence = fence;
        this.nodeId = nodeId;
        this.config = config;
        this.lingerMax = pacing.settleLingerMax();
        this.time = time;
        this.writtenNanos = time.nanoTime() - config.linger().toNanos();
    }

    /**
     * A settlement that is to be written.
     *
     * @param sinceNanos since when it waits
     */
    public void add(SettleItem item, long sinceNanos) {
        if (waiting.isEmpty()) {
            oldestNanos = sinceNanos;
        }
        waiting.add(item);
    }

    /** One of several destinations has acknowledged an event; to be written with the next batch. */
    public void acknowledge(Acknowledgement acknowledgement) {
        acknowledgements.add(acknowledgement);
    }

    public boolean hasAcknowledgements() {
        return !acknowledgements.isEmpty();
    }

    /** How much waits to be written. */
    public int waiting() {
        return waiting.size() + acknowledgements.size();
    }

    /**
     * How long the settlements may wait for more; zero when they are to be written now. They wait for a few times the
     * duration of a write, or for the configured time if that is longer: so most of the time is left for other things, and
     * the slower the store is, the larger are the batches.
     */
    public Duration untilDue() {
        if (waiting.size() >= BATCH_MAX) {
            return Duration.ZERO;
        }
        Duration linger = adaptedLinger.compareTo(config.linger()) > 0 ? adaptedLinger : config.linger();
        Duration left = linger.minusNanos(time.nanoTime() - oldestNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** How long until the last batch is old enough that the next one need not wait for others. */
    public Duration untilRested() {
        Duration left = config.linger().minusNanos(time.nanoTime() - writtenNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * A batch that was written.
     *
     * @param result what came of each item
     */
    public record Written(List<SettleItem> items, SettleResult result) {
        public boolean isFenced() {
            return result instanceof SettleResult.Fenced;
        }

        /** How many items changed nothing. */
        public int lost() {
            return switch (result) {
                case SettleResult.Fenced fenced -> items.size();
                case SettleResult.Settled settled -> items.size() - settled.written();
            };
        }
    }

    /** Writes the oldest settlements, a batch of them. They are kept when the store fails, to be written once more. */
    public Written settle() {
        List<SettleItem> batch = waiting.stream().limit(batchMax).toList();
        long begun = time.nanoTime();
        SettleResult result = write(batch);
        acknowledgements.clear();
        for (int i = 0; i < batch.size(); i++) {
            waiting.removeFirst();
        }
        oldestNanos = time.nanoTime();
        writtenNanos = oldestNanos;
        Duration took = Duration.ofNanos(oldestNanos - begun);
        Duration wait = took.multipliedBy(LINGER_FACTOR);
        adaptedLinger = wait.compareTo(lingerMax) < 0 ? wait : lingerMax;
        return new Written(batch, result);
    }

    private SettleResult write(List<SettleItem> batch) {
        int batchMaxBefore = batchMax;
        batchMax = Math.max(BATCH_MIN, batch.size() / 2);
        SettleResult result =
                store.settle(new SettleRequest(fence, nodeId, batch, config.doneRows(), acknowledgements, false));
        batchMax = Math.min(BATCH_MAX, batchMaxBefore * 2);
        return result;
    }
}
