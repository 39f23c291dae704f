package outbox.jdbc.internal.dialect;

import outbox.jdbc.TableNames;

/** MySQL and MariaDB: the slot of a pending event, and the due time of a delayed one, are generated columns. */
public record MySqlReads(Dialect dialect, TableNames tables) implements PortableReads {

    @Override
    public String inSlot(int partitions, int slot) {
        return "e.partition_" + partitions + " = " + slot + " AND e.seq > ?";
    }

    @Override
    public String slotOrder(int partitions) {
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
