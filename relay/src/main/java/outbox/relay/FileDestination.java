package outbox.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.util.JsonCodec;

/**
 * Appends events to a file, one JSON object per line, and acknowledges them once they are on the disk. A call is
 * written whole or, when the disk is full, not at all.
 *
 * <p>A line has the event's id, type, key, attempt and headers as an object of strings under {@code event}, and its
 * payload as it was published under {@code payload}, or in Base64 under {@code payloadBase64}.
 */
public final class FileDestination implements Destination {

    private static final DestinationTraits TRAITS =
            new DestinationTraits(1_000, 1_000, Integer.MAX_VALUE, 10_000, 16L << 20);

    /** The lock of each file: two sources, or a destination and its replacement, may write to the same file. */
    private static final Map<Path, Object> WRITERS = new ConcurrentHashMap<>();

    private final Path path;
    private final Object writer;
    private final FileChannel file; // guarded by the writer's lock

    /**
     * Opens the file, or creates it.
     *
     * @throws UncheckedIOException when it cannot be written
     */
    public FileDestination(Path path) {
        this.path = path;
        try {
            this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            this.writer = WRITERS.computeIfAbsent(path.toRealPath(), file -> new Object());
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + path + " cannot be opened for writing", e);
        }
    }

    @Override
    public DestinationTraits traits() {
        return TRAITS;
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        StringBuilder lines = new StringBuilder();
        deliveries.forEach(delivery -> line(lines, delivery));
        Outcome outcome = append(lines.toString());
        for (int i = 0; i < deliveries.size(); i++) {
            receipt.report(i, outcome);
        }
    }

    private Outcome append(String lines) {
        synchronized (writer) {
            return appendAlone(lines);
        }
    }

    private Outcome appendAlone(String lines) {
        try {
            long before = file.size();
            try {
                ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                file.force(false);
                return new Outcome.Delivered();
            } catch (IOException e) {
                file.truncate(before);
                throw e;
            }
        } catch (IOException e) {
            return new Outcome.Unavailable(
                    "file " + path + " could not be written: " + ErrorText.of(e),
                    Outcome.Unavailable.Scope.DESTINATION);
        }
    }

    private static void line(StringBuilder lines, Delivery delivery) {
        EventEnvelope event = delivery.event();
        Map<String, String> about = new LinkedHashMap<>();
        about.put("id", event.eventId());
        about.put("type", event.eventType());
        put(about, "key", event.orderingKey());
        put(about, "aggregateType", event.aggregateType());
        put(about, "aggregateId", event.aggregateId());
        put(about, "tenantId", event.tenantId());
        about.put("occurredAt", event.occurredAt().toString());
        about.put("attempt", Integer.toString(delivery.attempt()));
        lines.append("{\"event\":").append(JsonCodec.encode(about));
        lines.append(",\"headers\":").append(JsonCodec.encode(event.headers()));
        byte[] binary = event.payloadBytes();
        String json = event.payloadJson();
        if (binary != null) {
            lines.append(",\"payloadBase64\":\"")
                    .append(Base64.getEncoder().encodeToString(binary))
                    .append('"');
        } else if (json != null) {
            // In JSON, a line break is white space: in a string it is written as \n.
            lines.append(",\"payload\":").append(json.replace('\n', ' ').replace('\r', ' '));
        }
        lines.append("}\n");
    }

    private static void put(Map<String, String> about, String name, @Nullable String value) {
        if (value != null) {
            about.put(name, value);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + path + " could not be closed", e);
        }
    }
}
