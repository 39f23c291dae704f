package outbox.spi.operations;

/** Reads figures for dashboards. */
public interface StatisticsStore {

    /**
     * The current figures. Each reads at most {@code sampleMax} index entries, whatever the size of the table: counts
     * stop there and say so, and averages are those of the latest settled events.
     */
    OutboxStatistics statistics(int sampleMax);
}
