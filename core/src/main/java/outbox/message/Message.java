package outbox.message;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event in the form in which a transport sends it.
 *
 * @param key orders messages and spreads them over partitions; null when there is none
 * @param contentType of the body
 * @param headers in the order in which they were put; the content type is not among them
 * @param body shared, not copied: do not change it
 */
@SuppressWarnings("ArrayRecordComponent")
public record Message(@Nullable String key, String contentType, Map<String, String> headers, byte[] body) {

    /** The body as text; meaningful for JSON. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
