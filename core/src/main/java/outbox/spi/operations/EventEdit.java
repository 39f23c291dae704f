package outbox.spi.operations;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.util.JsonCodec;

/**
 * The new payload and headers of a dead event. A null leaves the current value.
 *
 * @param payloadJson must be JSON; also replaces a binary payload
 */
public record EventEdit(
        @Nullable String payloadJson, @Nullable Map<String, String> headers) {

    public EventEdit {
        if (payloadJson == null && headers == null) {
            throw new IllegalArgumentException("an edit changes the payload, the headers or both; neither was given");
        }
        headers = headers == null ? null : Map.copyOf(headers);
    }

    /**
     * Refuses an edit that could not have been published.
     *
     * @throws IllegalArgumentException that names the fault and its position
     */
    public void requirePublishable() {
        EventEnvelope.builder("edit")
                .payloadJson(payloadJson == null ? "null" : payloadJson)
                .headers(headers)
                .build();
    }

    /** The headers as a store keeps them; null when there are none or they do not change. */
    public @Nullable String headersJson() {
        return headers == null || headers.isEmpty() ? null : JsonCodec.encode(headers);
    }
}
