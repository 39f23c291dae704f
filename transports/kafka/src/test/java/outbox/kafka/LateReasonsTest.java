package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Settings;

/** Checks the reasons found for records that a producer gave up, with brokers that accept connections or do not. */
@Timeout(60)
final class LateReasonsTest {

    private final AtomicInteger queries = new AtomicInteger();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void blamesOnlyTheLeaderThatRefusesConnections() throws IOException {
        Node gone = gone();
        Map<Integer, Exception> reasons =
                reasons(List.of(partition(0, works(), 3), partition(1, gone, 3), partition(2, null, 3)));

        assertThat(reasons).containsOnlyKeys(1, 2);
        assertThat(reasons.get(1))
                .isInstanceOf(LeaderNotAvailableException.class)
                .hasMessageContaining("this host cannot reach, 127.0.0.1:" + gone.port())
                .hasMessageContaining("refused");
        assertThat(reasons.get(2)).hasMessageContaining("no leader");
    }

    @Test
    void checksSilentLeadersConcurrently() throws IOException {
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            partitions.add(partition(n, silent(n), 3));
        }
        long start = System.nanoTime();

        Map<Integer, Exception> reasons = reasons(partitions);

        assertThat(reasons).hasSize(5);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LateReasons.CHECK_MAX.multipliedBy(4));
    }

    @Test
    void queriesATopicsSettingsOnceForAllPartitions() throws IOException {
        Node works = works();

        Map<Integer, Exception> reasons = reasons(IntStream.range(0, 100)
                .mapToObj(n -> partition(n, works, n < 50 ? 1 : 2))
                .toList());

        assertThat(reasons).hasSize(50);
        assertThat(reasons.get(0))
                .isInstanceOf(NotEnoughReplicasException.class)
                .hasMessageContaining("1 replicas in sync");
        assertThat(queries).hasValue(1);
    }

    @Test
    void queriesNothingWithoutMissingReplicas() throws IOException {
        assertThat(reasons(List.of(partition(0, works(), 3)))).isEmpty();
        assertThat(queries).hasValue(0);
    }

    /** Nothing of it was sent, or nothing came back: in both cases another attempt would not help. */
    @Test
    void chargesNoRecordOfAnUnreachableLeader() throws Exception {
        List<PartitionInfo> partitions = List.of(partition(0, works(), 3), partition(1, gone(), 3));
        LateRecords late = new LateRecords(
                new Failures(KafkaConfig.from(new Settings(
                                "destination orders", "orders", Map.of("bootstrap-servers", "localhost:9092")))
                        .client()),
                new LateReasons(topic -> partitions, topic -> 2));
        List<CompletableFuture<Outcome>> outcomes = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        for (int partition = 0; partition < 2; partition++) {
            PendingRecord pending = new PendingRecord(
                    new Delivery(Sample.ofKey("a"), 1),
                    new ProducerRecord<>("orders", new byte[1]),
                    partition,
                    (index, outcome) -> outcomes.get(index).complete(outcome));
            late.add(new LateRecords.Late(pending, partition, new TimeoutException("Expiring"), List.of()));
        }

        Outcome unanswered = outcomes.get(0).get(20, TimeUnit.SECONDS);
        assertThat(unanswered)
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        outcome -> assertThat(outcome.unanswered()).isTrue());
        Outcomes.isUnavailable(outcomes.get(1).get(20, TimeUnit.SECONDS), Scope.ADDRESS);
    }

    private Map<Integer, Exception> reasons(List<PartitionInfo> partitions) {
        return new LateReasons(topic -> partitions, topic -> {
                    queries.incrementAndGet();
                    return 2;
                })
                .of("orders");
    }

    private static PartitionInfo partition(int number, Node leader, int inSync) {
        Node[] replicas = {new Node(1, "one", 1), new Node(2, "two", 2), new Node(3, "three", 3)};
        return new PartitionInfo("orders", number, leader, replicas, Arrays.copyOf(replicas, inSync));
    }

    // ---- brokers ---------------------------------------------------------------------------------------------------

    private Node works() throws IOException {
        return new Node(1, "127.0.0.1", listening(50).getLocalPort());
    }

    private static Node gone() throws IOException {
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new Node(2, "127.0.0.1", gone.getLocalPort());
        }
    }

    /** Behaves like a firewall that drops packets: its queue of connections is full. */
    private Node silent(int id) throws IOException {
        int port = listening(1).getLocalPort();
        for (int connections = 0; connections < 20; connections++) {
            Socket socket = new Socket();
            open.add(socket);
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            } catch (SocketTimeoutException full) {
                return new Node(id, "127.0.0.1", port);
            }
        }
        throw new AssertionError("its queue takes any number of connections");
    }

    private ServerSocket listening(int connectionsMax) throws IOException {
        ServerSocket listening = new ServerSocket(0, connectionsMax, InetAddress.getLoopbackAddress());
        open.add(listening);
        return listening;
    }
}
