package outbox.jdbc.internal.dialect;

import outbox.jdbc.TableNames;

/**
 * H2 computes the partition of every pending row, in the order of insertion. No column is generated for it, because H2
 * copies a table to add one, and a statement that writes meanwhile finds no table. For small tables that is fast enough.
 */
public record H2Reads(Dialect dialect, TableNames tables) implements PortableReads {

    @Override
    public String inPartition(int partitions, int partition) {
        return "e.pending = 1 AND " + partitionOf(partitions) + " = " + partition + " AND e.seq > ?";
    }

    @Override
    public String partitionOrder(int partitions) {
        return "e.pending, e.seq";
    }

    @Override
    public String delayed() {
        return "e.pending = 1 AND e.status = 0 AND e.available_at <> e.created_at";
    }

    @Override
    public String delayedUntil() {
        return "e.available_at";
    }

    @Override
    public String joinInOrder() {
        return "JOIN";
    }
}
