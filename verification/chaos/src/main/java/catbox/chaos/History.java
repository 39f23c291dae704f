package catbox.chaos;

import java.util.List;

/** Everything that is known about a finished run. Entries are in the order in which they took effect. */
record History(
        List<Committed> committed,
        List<WriterLog.Written> written,
        List<Entry> entries,
        List<Disturbance> disturbances) {

    History {
        committed = List.copyOf(committed);
        written = List.copyOf(written);
        entries = List.copyOf(entries);
        disturbances = List.copyOf(disturbances);
    }

    /** One row of the outbox. */
    record Committed(String eventId, String key, long number, int status) {

        static final int DONE = 1;
        static final int DEAD = 3;

        boolean isDead() {
            return status == DEAD;
        }

        boolean isPending() {
            return status != DONE && status != DEAD;
        }
    }

    List<Entry.Arrived> arrivals() {
        return entriesOf(Entry.Arrived.class);
    }

    <T extends Entry> List<T> entriesOf(Class<T> type) {
        return entries.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <T extends Disturbance> List<T> disturbancesOf(Class<T> type) {
        return disturbances.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
