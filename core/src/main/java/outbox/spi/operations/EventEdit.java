package outbox.spi.operations;

import java.util.Map;
import org.jspecify.annotations.Nullable;

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
}
