package outbox.jdbc.internal.dialect;

import outbox.jdbc.TableNames;

/** MySQL and MariaDB have generated columns for the partition of a pending event and for the due time of a delayed one. */
public record MySqlReads(Dialect dialect, TableNames tables) implements PortableReads {

    @Override
    public String inPartition(int partitions, int partition) {
        return "e.partition_" + partitions + " = " + partition + " AND e.seq > ?";
    }

    @Override
    public String partitionOrder(int partitions) {
        return "e.partition_" + partitions + ", e.seq";
    }

    @Override
    public String delayed() {
        return "e.delayed_until IS NOT NULL";
    }

    @Override
    public String delayedUntil() {
        return "e.delayed_until";
    }

    @Override
    public String joinInOrder() {
        return "STRAIGHT_JOIN";
    }
}
