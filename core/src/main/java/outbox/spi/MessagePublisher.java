package outbox.spi;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.PublishResult;

/**
 * Sends single messages to a broker or an API: one attempt, no retry, and an answer when the other side has confirmed.
 * To have an event retried, store it and let a dispatcher or a relay deliver it.
 */
public interface MessagePublisher {

    /**
     * Begins to send one event with its headers and its payload.
     *
     * @return fails with {@link outbox.PublishFailedException} when the event was not confirmed
     */
    CompletableFuture<PublishResult> publish(EventEnvelope event);

    /** Begins to send a payload of a type. Messages of one key are ordered. */
    default CompletableFuture<PublishResult> publish(String eventType, @Nullable String key, String payloadJson) {
        return publish(EventEnvelope.builder(eventType)
                .orderingKey(key)
                .payloadJson(payloadJson)
                .build());
    }
}
