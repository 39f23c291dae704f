package outbox.spi.operations;

/** Figures for dashboards. */
public interface StatisticsStore {

    /**
     * The figures as of now. Each costs at most {@code sampleMax} index entries, whatever the table holds: counts
     * stop there and say so, and averages are those of the latest settled events.
     */
    OutboxStatistics statistics(int sampleMax);
}
