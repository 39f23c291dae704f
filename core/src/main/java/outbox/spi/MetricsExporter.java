package outbox.spi;

/** Receives the figures of the dispatcher and the poller. An exporter that throws is logged and changes nothing. */
public interface MetricsExporter {

    void incrementHotEnqueued();

    void incrementHotDropped();

    void incrementColdEnqueued();

    void incrementDispatchSuccess();

    void incrementDispatchFailure();

    void incrementDispatchDead();

    void recordQueueDepths(int hotDepth, int coldDepth);

    void recordOldestLagMs(long lagMs);

    MetricsExporter NOOP = new Noop();

    /** Counts nothing. */
    final class Noop implements MetricsExporter {

        private Noop() {}

        @Override
        public void incrementHotEnqueued() {}

        @Override
        public void incrementHotDropped() {}

        @Override
        public void incrementColdEnqueued() {}

        @Override
        public void incrementDispatchSuccess() {}

        @Override
        public void incrementDispatchFailure() {}

        @Override
        public void incrementDispatchDead() {}

        @Override
        public void recordQueueDepths(int hotDepth, int coldDepth) {}

        @Override
        public void recordOldestLagMs(long lagMs) {}
    }
}
