package outbox.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import outbox.spi.MetricsExporter;

/** Records what was counted, as text. */
public final class RecordingMetrics implements MetricsExporter {

    private final List<String> facts = new CopyOnWriteArrayList<>();
    private final List<String> depths = new CopyOnWriteArrayList<>();
    private final List<Long> lags = new CopyOnWriteArrayList<>();

    /** The increments, in order. */
    public List<String> facts() {
        return List.copyOf(facts);
    }

    /** The depths, as "hot/cold", in order. */
    public List<String> depths() {
        return List.copyOf(depths);
    }

    public List<Long> lags() {
        return List.copyOf(lags);
    }

    @Override
    public void incrementHotEnqueued() {
        facts.add("hot enqueued");
    }

    @Override
    public void incrementHotDropped() {
        facts.add("hot dropped");
    }

    @Override
    public void incrementColdEnqueued() {
        facts.add("cold enqueued");
    }

    @Override
    public void incrementDispatchSuccess() {
        facts.add("success");
    }

    @Override
    public void incrementDispatchFailure() {
        facts.add("failure");
    }

    @Override
    public void incrementDispatchDead() {
        facts.add("dead");
    }

    @Override
    public void recordQueueDepths(int hotDepth, int coldDepth) {
        depths.add(hotDepth + "/" + coldDepth);
    }

    @Override
    public void recordOldestLagMs(long lagMs) {
        lags.add(lagMs);
    }
}
