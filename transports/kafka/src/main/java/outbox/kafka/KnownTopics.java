package outbox.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Caches which topics exist, for all partitions of the relay. A record whose topic is missing cannot be left out of a
 * transaction that has begun: the producer would wait for the topic and then fail as a whole.
 */
final class KnownTopics {

    private final TopicLookup lookup;
    private final LateReasons reasons;
    private final Map<String, Boolean> known = new ConcurrentHashMap<>();

    KnownTopics(TopicLookup lookup, LateReasons reasons) {
        this.lookup = lookup;
        this.reasons = reasons;
    }

    /**
     * Returns the reasons why records cannot go to some of the topics.
     *
     * @throws KafkaException when that is unknown, because the broker is unavailable too
     */
    Map<String, KafkaException> problems(Set<String> topics) {
        Map<String, KafkaException> problems = new HashMap<>();
        for (String topic : topics) {
            if (!known.containsKey(topic)) {
                try {
                    lookup.find(topic);
                    known.put(topic, true);
                } catch (KafkaException e) {
                    if (Failures.concernsTheCluster(e)) {
                        throw e;
                    }
                    problems.put(topic, e);
                }
            }
        }
        return problems;
    }

    /**
     * Returns the reasons why records of a topic are late, by partition; null for a partition without a known problem.
     *
     * @throws KafkaException when that is unknown, because the broker is unavailable too
     */
    IntFunction<@Nullable Exception> reasonsOfLate(String topic) {
        KafkaException problem = problems(Set.of(topic)).get(topic);
        if (problem != null) {
            return partition -> problem;
        }
        Map<Integer, Exception> ofPartitions = reasons.of(topic);
        return ofPartitions::get;
    }

    /** Called when a topic no longer exists. */
    void forget(String topic) {
        known.remove(topic);
    }

    /** Called when a transaction failed for an unknown reason, such as a topic that was deleted. */
    void forgetAll() {
        known.clear();
    }
}
