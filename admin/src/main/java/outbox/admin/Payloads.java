package outbox.admin;

import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.Payload;
import outbox.model.OutboxEvent;
import outbox.spi.operations.EventHistory;
import outbox.util.JsonCodec;

/** Makes payloads and headers readable. */
final class Payloads {

    /** Stands for the headers of an event if another program wrote them and they cannot be read. */
    static final String UNREADABLE = "(headers that cannot be read)";

    private Payloads() {}

    static Payload of(OutboxEvent event, EventHistory.@Nullable Original original) {
        Payload published = original == null
                ? null
                : payload(original.payloadJson(), original.payloadBytes(), original.headersJson(), null);
        return payload(event.payloadJson(), event.payloadBytes(), event.headersJson(), published);
    }

    private static Payload payload(
            @Nullable String json, byte @Nullable [] bytes, @Nullable String headersJson, @Nullable Payload original) {
        String base64 = bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
        return new Payload(json, base64, headers(headersJson), original);
    }

    static Map<String, String> headers(@Nullable String json) {
        try {
            return json == null ? Map.of() : JsonCodec.decode(json);
        } catch (IllegalArgumentException unreadable) {
            return Map.of(UNREADABLE, json);
        }
    }
}
