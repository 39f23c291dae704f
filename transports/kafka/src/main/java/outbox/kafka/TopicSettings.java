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
 * How topics are set, as far as they have given reason to ask. Once a topic has refused a record for its size, those that
 * it would refuse too are not sent any more for a while: a broker refuses batches, and what a refusal stops has to be
 * sent again.
 *
 * <p>Where the limit cannot be known, because the user may not ask for it or records are compressed, the broker decides
 * about each of them. Then it is remembered what it has refused, so that nothing is sent directly behind such a record.
 */
final class TopicSettings {

    /** So soon a limit that an operator raises takes effect. */
    private static final Duration MEMORY = Duration.ofSeconds(10);

    private static final long UNKNOWN = Long.MAX_VALUE;

    /** Templates can name any number of topics, and memory has an end. */
    private static final int REFUSALS_MAX = 1_000;

    /** What every batch has besides its records. */
    private static final int BATCH_BYTES = 61;

    private final ClientProperties client;
    private final TimeSource time;
    private final Map<String, CompletableFuture<Limit>> limits = new ConcurrentHashMap<>();

    /** The smallest record that each topic has refused lately. */
    private final Map<String, Limit> refusals = new ConcurrentHashMap<>();

    private record Limit(long bytes, long sinceNanos) {

        boolean isOutdated(long now) {
            return now - sinceNanos > MEMORY.toNanos();
        }
    }

    TopicSettings(ClientProperties client, TimeSource time) {
        this.client = client;
        this.time = time;
    }

    // ---- the size of messages --------------------------------------------------------------------------------------

    /** To be called when a topic has refused a record for its size. */
    void refused(PendingRecord parcel, Throwable error) {
        boolean byClient = String.valueOf(error.getMessage()).contains("max.request.size");
        if (byClient) {
            return;
        }
        remember(parcel.topic(), parcel.bytes());
        if (!client.compresses()) {
            limits.computeIfAbsent(
                    parcel.topic(),
                    name -> CompletableFuture.supplyAsync(
                                    () -> new Limit(read(name, TopicConfig.MAX_MESSAGE_BYTES_CONFIG), time.nanoTime()),
                                    Thread::startVirtualThread)
                            // Also after an Error: it would be the answer for all that goes to the topic.
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

    /** Whether the topic has lately refused a record that was no larger than this one. */
    boolean mayBeRefused(PendingRecord parcel) {
        Limit refused = refusals.isEmpty() ? null : refusals.get(parcel.topic());
        return refused != null && parcel.bytes() >= refused.bytes() && !refused.isOutdated(time.nanoTime());
    }

    /** Waits until it is known what the topic takes, if there was reason to ask. */
    void await(String topic) {
        CompletableFuture<Limit> limit = limits.get(topic);
        if (limit != null) {
            limit.join();
        }
    }

    /** Why a topic cannot take a record; null when it may. */
    @Nullable
    RecordTooLargeException refusal(PendingRecord parcel) {
        if (limits.isEmpty()) {
            return null;
        }
        CompletableFuture<Limit> asked = limits.get(parcel.topic());
        Limit limit = asked == null ? null : asked.getNow(null);
        if (limit == null) {
            return null;
        }
        if (limit.isOutdated(time.nanoTime())) {
            limits.remove(parcel.topic());
            return null;
        }
        return parcel.bytes() + BATCH_BYTES <= limit.bytes()
                ? null
                : new RecordTooLargeException("it takes " + limit.bytes() + " bytes");
    }

    // ---- replicas --------------------------------------------------------------------------------------------------

    /** How many replicas have to be in sync; 0 when that is not to be known. */
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
                    .get(client.patience().toMillis(), TimeUnit.MILLISECONDS)
                    .getOrDefault(resource, new Config(List.of()))
                    .get(setting);
            return entry == null ? UNKNOWN : Long.parseLong(entry.value());
        } catch (KafkaException | ExecutionException | TimeoutException | NumberFormatException e) {
            return UNKNOWN; // Not every user may ask.
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
