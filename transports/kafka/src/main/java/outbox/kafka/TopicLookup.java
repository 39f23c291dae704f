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
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import outbox.spi.TimeSource;

/** Finds topics, and creates missing ones if configured. */
record TopicLookup(ClientProperties client, TopicCreation creation, TopicProbe probe, TimeSource time) {

    /**
     * Returns when the topic exists.
     *
     * @throws KafkaException with the reason why it does not
     */
    void find(String topic) {
        try {
            probe.partitions(topic, client.blockMax());
        } catch (UnknownTopicOrPartitionException e) {
            if (!creation.enabled()) {
                throw e;
            }
            create(topic);
        }
    }

    /**
     * Returns when a producer with a short wait knows the topic.
     *
     * @throws KafkaException with the reason why it does not
     */
    void awaitMetadata(Producer<?, ?> producer, String topic) {
        long start = time.nanoTime();
        while (true) {
            try {
                producer.partitionsFor(topic);
                return;
            } catch (TimeoutException e) {
                if (time.nanoTime() - start > client.blockMax().toNanos()) {
                    throw e.getCause() instanceof ApiException cause
                            ? cause
                            : new LeaderNotAvailableException(
                                    "the cluster answers, but the producer has no metadata: " + e.getMessage());
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
        Admin admin = Admin.create(client.admin(client.clientId() + "-creation"));
        try {
            admin.createTopics(Set.of(wanted)).all().get(client.blockMax().toMillis(), TimeUnit.MILLISECONDS);
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
