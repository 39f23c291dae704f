package catbox.devservices;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic with one partition, for tests of the server. */
record KafkaTopic(Map<String, String> client, String name) {

    private static final long SECONDS_MAX = 30;

    static KafkaTopic create(Map<String, String> client, String name) throws Exception {
        try (Admin admin = Admin.create(properties(client))) {
            admin.createTopics(Set.of(new NewTopic(name, 1, (short) 1))).all().get(SECONDS_MAX, TimeUnit.SECONDS);
        }
        return new KafkaTopic(client, name);
    }

    void send(String value) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties(client), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(name, value)).get(SECONDS_MAX, TimeUnit.SECONDS);
        }
    }

    List<String> values(int count) {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties(client), new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(name, 0);
            consumer.assign(Set.of(partition));
            consumer.seekToBeginning(Set.of(partition));
            Deadline deadline = Deadline.in(Duration.ofSeconds(SECONDS_MAX));
            while (values.size() < count && !deadline.passed()) {
                consumer.poll(Duration.ofMillis(100)).forEach(message -> values.add(message.value()));
            }
        }
        return values;
    }

    private static Map<String, Object> properties(Map<String, String> client) {
        return Map.copyOf(client);
    }
}
