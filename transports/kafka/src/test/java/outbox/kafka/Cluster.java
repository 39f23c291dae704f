package outbox.kafka;

import catbox.devservices.DevServices;
import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaLogin;
import catbox.devservices.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import outbox.internal.Ulids;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.TimeSource;

/** A real Kafka cluster, with the operations that tests need besides delivering. */
record Cluster(KafkaBroker broker) {

    private static final Duration CHECK_MAX = Duration.ofSeconds(30);

    /** Starts the broker on first use. */
    private static final class Secured {
        static final Cluster SHARED = new Cluster(KafkaServer.startSecured());

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SHARED.broker()::close));
        }
    }

    /** Shared by all tests of this JVM: a test that stops it starts it again. */
    static Cluster secured() {
        return Secured.SHARED;
    }

    /** Shared by all tests of this JVM, which do not change it. */
    static Cluster plain() {
        return new Cluster(DevServices.kafka());
    }

    // ---- destinations ----------------------------------------------------------------------------------------------

    /** Creates a destination with these settings and the credentials. */
    Destination destination(Map<String, String> settings) {
        return destination("orders", broker.clientProperties(), settings);
    }

    Destination destination(KafkaLogin login, Map<String, String> settings) {
        return destination("orders", broker.clientProperties(login), settings);
    }

    static Destination destination(String name, Map<String, String> client, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>();
        client.forEach((property, value) -> all.put("property." + property, value));
        all.put("bootstrap-servers", client.get("bootstrap.servers"));
        all.remove("property.bootstrap.servers");
        all.putAll(settings);
        return DestinationFactory.create("kafka", name, all);
    }

    // ---- topics ----------------------------------------------------------------------------------------------------

    String createTopic(int partitions) {
        return createTopic("topic-" + Ulids.SYSTEM.next(), partitions, Map.of());
    }

    String createTopic(String name, int partitions, Map<String, String> configs) {
        try (Admin admin = admin()) {
            admin.createTopics(Set.of(new NewTopic(name, partitions, (short) 1).configs(configs)))
                    .all()
                    .get(CHECK_MAX.toSeconds(), TimeUnit.SECONDS);
            return name;
        } catch (Exception e) {
            throw new AssertionError("no topic " + name, e);
        }
    }

    void deleteTopic(String name) {
        try (Admin admin = admin()) {
            admin.deleteTopics(Set.of(name)).all().get(CHECK_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("cannot delete topic " + name, e);
        }
    }

    int partitions(String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("read_committed")) {
            return consumer.partitionsFor(topic).size();
        }
    }

    /** Forbids the user to write to the topic. */
    void forbid(KafkaLogin login, String topic) {
        try (Admin admin = admin()) {
            admin.createAcls(Set.of(acl(login, topic, AclPermissionType.DENY)))
                    .all()
                    .get(CHECK_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("cannot forbid " + topic, e);
        }
    }

    /** Allows the user only to write to the topic: it may not read the topic's settings. */
    void allowWritingOnly(KafkaLogin login, String topic) {
        try (Admin admin = admin()) {
            admin.createAcls(Set.of(acl(login, topic, AclPermissionType.ALLOW)))
                    .all()
                    .get(CHECK_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("cannot restrict " + topic, e);
        }
    }

    private static AclBinding acl(KafkaLogin login, String topic, AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:" + login.user(), "*", AclOperation.WRITE, permission));
    }

    private Admin admin() {
        return Admin.create(new HashMap<>(broker.clientProperties()));
    }

    // ---- received messages -----------------------------------------------------------------------------------------

    /** Waits for a number of committed messages of a topic, and returns all that are there. */
    List<ConsumerRecord<byte[], byte[]>> received(String topic, int atLeast) {
        return received(topic, atLeast, "read_committed");
    }

    List<ConsumerRecord<byte[], byte[]>> received(String topic, int atLeast, String isolation) {
        List<ConsumerRecord<byte[], byte[]>> received = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(isolation)) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long start = TimeSource.SYSTEM.nanoTime();
            boolean ended = false;
            while ((received.size() < atLeast || !ended)
                    && TimeSource.SYSTEM.nanoTime() - start < CHECK_MAX.toNanos()) {
                consumer.poll(Duration.ofMillis(50)).forEach(received::add);
                ended = consumer.endOffsets(partitions).entrySet().stream()
                        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
            }
        }
        return received;
    }

    /**
     * Returns how many transactions have written to a topic of one partition: each ends with a marker, which consumers
     * do not receive.
     */
    long transactions(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("read_uncommitted")) {
            return consumer.endOffsets(Set.of(partition)).get(partition)
                    - received(topic, 0, "read_uncommitted").size();
        }
    }

    /** Waits, once it is run, until the topic has a message, committed or not. It connects before it returns. */
    Runnable first(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = consumer("read_uncommitted");
        consumer.assign(Set.of(new TopicPartition(topic, 0)));
        consumer.seekToBeginning(consumer.assignment());
        consumer.position(new TopicPartition(topic, 0));
        return () -> {
            try (consumer) {
                long start = TimeSource.SYSTEM.nanoTime();
                while (consumer.poll(Duration.ofMillis(50)).isEmpty()) {
                    if (TimeSource.SYSTEM.nanoTime() - start > CHECK_MAX.toNanos()) {
                        throw new AssertionError("nothing arrived in " + topic);
                    }
                }
            }
        };
    }

    List<String> receivedIds(String topic, int atLeast) {
        return received(topic, atLeast).stream()
                .map(message -> header(message, "outbox-event-id"))
                .toList();
    }

    static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        Header header = message.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    static Map<String, String> headers(ConsumerRecord<byte[], byte[]> message) {
        Map<String, String> headers = new HashMap<>();
        message.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return headers;
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> properties = new HashMap<>(broker.clientProperties());
        properties.put("isolation.level", isolation);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
