package outbox.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.model.Outcome;

/**
 * Records that a producer has given up after a time. It does not say why: whether the answer is missing or the topic's
 * leader, its replicas, or the topic itself. That is asked once for all such records of a topic, on a thread of its own.
 */
final class LateRecords {

    private final Failures failures;
    private final LateReasons reasons;

    /** By topic. Guarded by this. */
    private final Map<String, List<Late>> waiting = new HashMap<>();

    /**
     * A record that was given up.
     *
     * @param behind what could not be sent because of it
     */
    record Late(PendingRecord parcel, int partition, Exception error, List<PendingRecord> behind) {

        void report(Outcome outcome, Failures failures) {
            parcel.report(outcome);
            Outcome after = failures.behind(parcel);
            behind.forEach(each -> each.report(after));
        }
    }

    LateRecords(Failures failures, LateReasons reasons) {
        this.failures = failures;
        this.reasons = reasons;
    }

    /** Takes a record, which is reported when it is known why it is late. */
    void add(Late late) {
        String topic = late.parcel().topic();
        synchronized (this) {
            List<Late> others = waiting.get(topic);
            if (others != null) {
                others.add(late);
                return;
            }
            waiting.put(topic, new ArrayList<>(List.of(late)));
        }
        Thread.ofVirtual().name("outbox-kafka-late").start(() -> judge(topic));
    }

    private void judge(String topic) {
        Map<Integer, Exception> reasonsOfSome = Map.of();
        Throwable reasonOfAll = null;
        try {
            reasonsOfSome = reasons.of(topic);
        } catch (Throwable e) { // An Error as well: later records would wait for this answer for good.
            reasonOfAll = Meaning.of(e) == Meaning.ADDRESS ? e : null;
        }
        for (Late late : taken(topic)) {
            Throwable reason = reasonOfAll == null ? reasonsOfSome.get(late.partition()) : reasonOfAll;
            late.report(failures.sent(late.parcel(), reason == null ? late.error() : reason), failures);
        }
    }

    private synchronized List<Late> taken(String topic) {
        List<Late> taken = waiting.remove(topic);
        return taken == null ? List.of() : taken;
    }
}
