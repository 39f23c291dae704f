package outbox.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The topics that are there, for all slots. A transaction could not leave out a record whose topic is missing: the producer
 * would wait for the topic, and then fail as a whole.
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
     * Why records cannot go to some of the topics.
     *
     * @throws KafkaException when that cannot be found out, because the broker is not there either
     */
    Map<String, KafkaException> troubles(Set<String> topics) {
        Map<String, KafkaException> troubles = new HashMap<>();
        for (String topic : topics) {
            if (!known.containsKey(topic)) {
                try {
                    lookup.find(topic);
                    known.put(topic, true);
                } catch (KafkaException e) {
                    if (Failures.concernsTheCluster(e)) {
                        throw e;
                    }
                    troubles.put(topic, e);
                }
            }
        }
        return troubles;
    }

    /**
     * Why records of a topic are late, by their partitions; null for one that has nothing wrong with it.
     *
     * @throws KafkaException when that cannot be found out, because the broker is not there either
     */
    IntFunction<@Nullable Exception> reasonsOfLate(String topic) {
        KafkaException trouble = troubles(Set.of(topic)).get(topic);
        if (trouble != null) {
            return partition -> trouble;
        }
        Map<Integer, Exception> ofPartitions = reasons.of(topic);
        return ofPartitions::get;
    }

    /** To be called when a topic turned out not to be there any more. */
    void forget(String topic) {
        known.remove(topic);
    }

    /**
     * To be called when a transaction failed and nobody knows why: a topic may be gone, and a producer that knew it goes
     * on believing in it for minutes.
     */
    void forgetAll() {
        known.clear();
    }
}
