package outbox.kafka;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import outbox.util.TimeSource;

/**
 * Makes a topic known to a producer, which takes a while and may be in vain. It needs a producer that hardly waits, so
 * that it can tell soon whether the topic is missing or the broker.
 */
record TopicLookup(ClientProperties client, TopicCreation creation, TimeSource time) {

    /** A broker that creates topics by itself says at first that there is none. */
    private static final Duration MISSING_MAX = Duration.ofSeconds(1);

    /**
     * Returns when the producer can send to the topic.
     *
     * @throws KafkaException saying why it cannot
     */
    void find(Producer<?, ?> producer, String topic) {
        long start = time.nanoTime();
        boolean created = false;
        boolean missingBefore = false;
        long missingSince = 0;
        while (true) {
            try {
                producer.partitionsFor(topic);
                return;
            } catch (TimeoutException e) {
                long now = time.nanoTime();
                boolean missing = e.getCause() instanceof UnknownTopicOrPartitionException;
                boolean late = now - start > client.patience().toNanos();
                if (missing && creation.enabled() && !created) {
                    create(topic);
                    created = true;
                } else if (missing) {
                    missingSince = missingBefore ? missingSince : now;
                    missingBefore = true;
                    if (late || (!created && now - missingSince > MISSING_MAX.toNanos())) {
                        throw new UnknownTopicOrPartitionException("no topic " + topic);
                    }
                } else if (late) {
                    throw e;
                }
            }
        }
    }

    private void create(String topic) {
        int partitions = creation.partitions();
        int replicas = creation.replicationFactor();
        NewTopic wanted = new NewTopic(
                topic,
                partitions == TopicCreation.AS_THE_BROKER_SAYS ? Optional.empty() : Optional.of(partitions),
                replicas == TopicCreation.AS_THE_BROKER_SAYS ? Optional.empty() : Optional.of((short) replicas));
        Admin admin = Admin.create(client.admin(client.clientId() + "-topics"));
        try {
            admin.createTopics(Set.of(wanted)).all().get(client.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new KafkaException("the topic cannot be created", e.getCause());
            }
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("the topic was not created in time", e);
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while creating the topic", e);
        } finally {
            admin.close(Duration.ZERO);
        }
    }
}
