package outbox.admin.view;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The payload and headers of an event.
 *
 * @param json null when it is binary or there is none
 * @param base64 null when it is JSON or there is none
 * @param original what was published, if it has been changed since
 */
public record Payload(
        @Nullable String json,
        @Nullable String base64,
        Map<String, String> headers,
        @Nullable Payload original) {}
