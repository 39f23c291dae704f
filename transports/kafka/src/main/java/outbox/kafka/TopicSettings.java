package outbox.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * Caches the settings of topics for which they are needed. Once a topic has rejected a record for its size, records
 * that exceed the limit are no longer sent for a while: a broker rejects whole batches, and the records that were
 * stopped with one have to be sent again.
 *
 * <p>The limit is unknown when the user may not read it or records are compressed, and then the broker decides about
 * each record. This class then remembers the rejected sizes, so that no record is sent directly behind one that may be
 * rejected.
 */
final class TopicSettings {

    /** After this time a limit that an operator raised takes effect. */
    private static final Duration REMEMBERED_FOR = Duration.ofSeconds(10);

    private static final long UNKNOWN = Long.MAX_VALUE;

    /** Bounds memory, because templates can name any number of topics. */
    private static final int REFUSALS_MAX = 1_000;

    /** The overhead of every batch. */
    private static final int BATCH_BYTES = 61;

    private final ClientProperties client;
    private final TimeSource time;
    private final Map<String, CompletableFuture<Limit>> limits = new ConcurrentHashMap<>();

    /** The smallest record that each topic has recently rejected. */
    private final Map<String, Limit> refusals = new ConcurrentHashMap<>();

    private record Limit(long bytes, long sinceNanos) {

        boolean isOutdated(long now) {
            return now - sinceNanos > REMEMBERED_FOR.toNanos();
        }
    }

    TopicSettings(ClientProperties client, TimeSource time) {
        this.client = client;
        this.time = time;
    }

    // ---- the size of messages --------------------------------------------------------------------------------------

    /** Called when a topic has rejected a record for its size. */
    void refused(PendingRecord pending, Throwable error) {
        boolean byClient = String.valueOf(error.getMessage()).contains("max.request.size");
        if (byClient) {
            return;
        }
        remember(pending.topic(), pending.bytes());
        if (!client.compresses()) {
            limits.computeIfAbsent(
                    pending.topic(),
                    name -> CompletableFuture.supplyAsync(
                                    () -> new Limit(read(name, TopicConfig.MAX_MESSAGE_BYTES_CONFIG), time.nanoTime()),
                                    Thread::startVirtualThread)
                            // Also after an error: this would stay the answer for all records of the topic.
                            .exceptionally(failure -> new Limit(UNKNOWN, time.nanoTime())));
        }
    }

    private void remember(String topic, long bytes) {
        long now = time.nanoTime();
        if (refusals.size() >= REFUSALS_MAX) {
            refusals.clear();
        }
        refusals.merge(
                topic,
                new Limit(bytes, now),
                (old, one) -> old.isOutdated(now) ? one : new Limit(Math.min(old.bytes(), one.bytes()), now));
    }

    /** Returns whether the topic has recently rejected a record of this size or smaller. */
    boolean mayBeRefused(PendingRecord pending) {
        Limit refused = refusals.isEmpty() ? null : refusals.get(pending.topic());
        return refused != null && pending.bytes() >= refused.bytes() && !refused.isOutdated(time.nanoTime());
    }

    /** Waits until the topic's limit is known, if a lookup is in progress. */
    void await(String topic) {
        CompletableFuture<Limit> limit = limits.get(topic);
        if (limit != null) {
            limit.join();
        }
    }

    /** Returns why a topic cannot accept a record, or null when it may. */
    @Nullable
    RecordTooLargeException refusal(PendingRecord pending) {
        if (limits.isEmpty()) {
            return null;
        }
        CompletableFuture<Limit> asked = limits.get(pending.topic());
        Limit limit = asked == null ? null : asked.getNow(null);
        if (limit == null) {
            return null;
        }
        if (limit.isOutdated(time.nanoTime())) {
            limits.remove(pending.topic());
            return null;
        }
        return pending.bytes() + BATCH_BYTES <= limit.bytes()
                ? null
                : new RecordTooLargeException("it accepts " + limit.bytes() + " bytes");
    }

    // ---- replicas --------------------------------------------------------------------------------------------------

    /** Returns how many replicas have to be in sync; 0 when unknown. */
    int replicasMin(String topic) {
        long min = read(topic, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
        return min == UNKNOWN ? 0 : (int) min;
    }

    private long read(String topic, String setting) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Admin admin = null;
        try {
            admin = Admin.create(client.admin(client.clientId() + "-settings"));
            ConfigEntry entry = admin.describeConfigs(Set.of(resource))
                    .all()
                    .get(client.blockMax().toMillis(), TimeUnit.MILLISECONDS)
                    .getOrDefault(resource, new Config(List.of()))
                    .get(setting);
            return entry == null ? UNKNOWN : Long.parseLong(entry.value());
        } catch (KafkaException | ExecutionException | TimeoutException | NumberFormatException e) {
            return UNKNOWN; // Some users are not allowed to read it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        } finally {
            if (admin != null) {
                admin.close(Duration.ZERO);
            }
        }
    }
}
