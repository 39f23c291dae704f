package outbox.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.model.Outcome;

/**
 * Collects records that a producer has given up after a timeout. The producer does not report whether the answer is
 * missing, or the topic, its leader or its replicas are the cause. One check on a separate thread finds out for all
 * such records of a topic.
 */
final class LateRecords {

    private final Failures failures;
    private final LateReasons reasons;

    /** By topic. Guarded by this. */
    private final Map<String, List<Late>> waiting = new HashMap<>();

    /**
     * A record that was given up.
     *
     * @param behind records that could not be sent because of it
     */
    record Late(PendingRecord pending, int partition, Exception error, List<PendingRecord> behind) {

        void report(Outcome outcome, Failures failures) {
            pending.report(outcome);
            Outcome after = failures.behind(pending);
            behind.forEach(each -> each.report(after));
        }
    }

    LateRecords(Failures failures, LateReasons reasons) {
        this.failures = failures;
        this.reasons = reasons;
    }

    /** Takes a record and reports it when the reason for its timeout is known. */
    void add(Late late) {
        String topic = late.pending().topic();
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
        } catch (Throwable e) { // Catches errors as well: later records would wait for this answer forever.
            reasonOfAll = ErrorKind.of(e) == ErrorKind.ADDRESS ? e : null;
        }
        for (Late late : taken(topic)) {
            Throwable reason = reasonOfAll == null ? reasonsOfSome.get(late.partition()) : reasonOfAll;
            late.report(failures.sent(late.pending(), reason == null ? late.error() : reason), failures);
        }
    }

    private synchronized List<Late> taken(String topic) {
        List<Late> taken = waiting.remove(topic);
        return taken == null ? List.of() : taken;
    }
}
