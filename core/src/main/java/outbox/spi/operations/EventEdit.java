package outbox.spi.operations;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.util.JsonCodec;

/**
 * What a dead event is to carry from now on. What is null stays as it is.
 *
 * @param payloadJson must be JSON; takes the place of a binary payload too
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
     * Refuses what could not have been published either.
     *
     * @throws IllegalArgumentException that says what was met where
     */
    public void requirePublishable() {
        EventEnvelope.builder("edit")
                .payloadJson(payloadJson == null ? "null" : payloadJson)
                .headers(headers)
                .build();
    }

    /** The headers as a store keeps them; null for none, and where they stay as they are. */
    public @Nullable String headersJson() {
        return headers == null || headers.isEmpty() ? null : JsonCodec.encode(headers);
    }
}
