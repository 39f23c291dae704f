package catbox.chaos;

import catbox.chaos.Findings.Fault;
import catbox.chaos.History.Committed;
import catbox.chaos.WriterLog.Fate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the deliveries with the committed events. The committed events are those in the table at the end; the
 * writers' logs are compared with it too. The journal's order decides which delivery came first.
 */
final class Checker {

    private final History history;
    private final Map<String, Committed> committed = new HashMap<>();
    /** Each event's arrivals, with the first one's position in the journal. */
    private final Map<String, List<Entry.Arrived>> arrivals = new LinkedHashMap<>();

    private final Map<String, Integer> firstPosition = new HashMap<>();
    private final Map<Fault, List<String>> faults = new EnumMap<>(Fault.class);
    private final Map<Reason, Integer> duplicates = new EnumMap<>(Reason.class);

    private Checker(History history) {
        this.history = history;
        history.committed().forEach(event -> committed.put(event.eventId(), event));
        for (Entry.Arrived arrived : history.arrivals()) {
            firstPosition.putIfAbsent(arrived.eventId(), firstPosition.size());
            arrivals.computeIfAbsent(arrived.eventId(), id -> new ArrayList<>()).add(arrived);
        }
    }

    static Findings check(History history) {
        Checker checker = new Checker(history);
        checker.checkTheEnd();
        checker.checkOrder();
        checker.checkArrivals();
        checker.checkStore();
        Ownership.violations(history).forEach(sentence -> checker.fault(Fault.OWNERSHIP, sentence));
        return new Findings(checker.faults, checker.duplicates);
    }

    private void checkTheEnd() {
        for (Committed event : history.committed()) {
            if (!arrivals.containsKey(event.eventId())) {
                fault(Fault.LOST, describe(event) + " with status " + event.status());
            }
            if (event.isPending()) {
                fault(Fault.PENDING, describe(event));
            }
            if (event.isDead()) {
                fault(Fault.DEAD, describe(event));
            }
        }
    }

    /** Events of a key were committed one after another, so each must have arrived before all younger ones. */
    private void checkOrder() {
        Map<String, List<Committed>> keys = new LinkedHashMap<>();
        history.committed().stream()
                .sorted(Comparator.comparing(Committed::key).thenComparingLong(Committed::number))
                .forEach(event -> keys.computeIfAbsent(event.key(), key -> new ArrayList<>())
                        .add(event));
        keys.values().forEach(this::checkOrderOfKey);
    }

    private void checkOrderOfKey(List<Committed> events) {
        Committed latest = events.get(0);
        int latestPosition = -1;
        long number = 0;
        for (Committed event : events) {
            number++;
            if (event.number() != number) {
                fault(Fault.STORE, describe(event) + " is the event number " + number + " of its key");
                number = event.number();
            }
            Integer place = firstPosition.get(event.eventId());
            if (place != null && place < latestPosition) {
                fault(Fault.ORDER, describe(event) + " arrived before " + describe(latest));
            } else if (place != null) {
                latest = event;
                latestPosition = place;
            }
        }
    }

    private void checkArrivals() {
        Reasons reasons = new Reasons(history);
        arrivals.forEach((eventId, all) -> {
            if (!committed.containsKey(eventId)) {
                fault(Fault.PHANTOM, describe(all.get(0)));
            }
            for (int i = 1; i < all.size(); i++) {
                Optional<Reason> reason = reasons.of(all.get(i - 1), all.get(i));
                if (reason.isPresent()) {
                    duplicates.merge(reason.get(), 1, Integer::sum);
                } else {
                    fault(Fault.UNEXPLAINED, describe(all.get(i - 1)) + ", and again: " + describe(all.get(i)));
                }
            }
        });
    }

    private void checkStore() {
        for (WriterLog.Written written : history.written()) {
            boolean isThere = committed.containsKey(written.eventId());
            if (written.fate() == Fate.COMMITTED && !isThere) {
                fault(Fault.STORE, "event " + written.eventId() + " was committed and is not in the table");
            }
            if (written.fate() == Fate.ROLLED_BACK && isThere) {
                fault(Fault.STORE, "event " + written.eventId() + " was rolled back and is in the table");
            }
        }
    }

    private void fault(Fault fault, String sentence) {
        faults.computeIfAbsent(fault, kind -> new ArrayList<>()).add(sentence);
    }

    private static String describe(Committed event) {
        return event.key() + " number " + event.number() + " (" + event.eventId() + ")";
    }

    private static String describe(Entry.Arrived arrived) {
        return arrived.key() + " number " + arrived.sent().event().number() + " (" + arrived.eventId() + ") by "
                + arrived.node() + " at " + arrived.at();
    }
}
