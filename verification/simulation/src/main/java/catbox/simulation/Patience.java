package catbox.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Where nothing goes wrong but outages: what an outage does not concern flows while it lasts, and what waited for a
 * destination continues soon after its return.
 */
final class Patience {

    private static final Duration RESUMES_WITHIN = Duration.ofSeconds(5);
    /** How long nodes take to join and to divide the partitions. */
    private static final Duration STARTED = Duration.ofSeconds(10);
    /** In memory by then, so that it waits for the destination and for nothing else. */
    private static final Duration SEEN = Duration.ofSeconds(1);

    private final World world;
    private final Ledger ledger;
    private final Map<String, Outage> outages;
    private final boolean demands;

    /** @param demands whether nothing else goes wrong, which would excuse a delay */
    Patience(World world, Ledger ledger, Map<String, Outage> outages, boolean demands) {
        this.world = world;
        this.ledger = ledger;
        this.outages = outages;
        this.demands = demands;
    }

    /** An outage is over: what waited for its end continues. */
    void returned(Outage outage) {
        long now = world.nowNanos();
        long begun = now - SEEN.toNanos();
        List<Ledger.Entry> waiting = ledger.committedEntries().stream()
                .filter(entry -> entry.committedNanos < begun
                        && !entry.outOfOrder
                        && entry.isMissingAt(outage.destination)
                        && outage.concerned(addressOf(entry), now))
                .toList();
        if (demands && !waiting.isEmpty() && world.elapsed().compareTo(STARTED) > 0) {
            world.in(RESUMES_WITHIN, null, () -> {
                // An operator may have emptied the table meanwhile.
                boolean someWait = waiting.stream().anyMatch(entry -> entry.isMissingAt(outage.destination));
                if (someWait && ledger.lastDeliveredNanos(outage.destination) < now) {
                    world.violation("patience: nothing was delivered to " + outage.destination + " within "
                            + RESUMES_WITHIN + " of its return");
                }
            });
        }
    }

    /** An event is committed: it arrives soon, unless it or an older one of its key waits for the end of an outage. */
    void committed(Ledger.Entry entry) {
        if (demands && !entry.outOfOrder && world.elapsed().compareTo(STARTED) > 0) {
            world.in(RESUMES_WITHIN, null, () -> {
                if (entry.isMissingAnywhere() && !waitsForAnOutage(entry)) {
                    world.violation("patience: " + entry + " was not delivered within " + RESUMES_WITHIN
                            + ", and no outage concerns it");
                }
            });
        }
    }

    // Of its key another event may wait, wherever that goes.
    private boolean waitsForAnOutage(Ledger.Entry entry) {
        long since = entry.committedNanos - RESUMES_WITHIN.toNanos();
        return outages.values().stream()
                .filter(outage -> entry.key != null || entry.deliveries.containsKey(outage.destination))
                .anyMatch(outage -> outage.concerned(addressOf(entry), since));
    }

    private static String addressOf(Ledger.Entry entry) {
        return Outage.addressOf(entry.key == null ? entry.id : entry.key);
    }
}
