package catbox.console;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/**
 * One part of a page, which may fail without failing the others.
 *
 * @param problem why it cannot be shown; null when it can
 */
public record Part<T>(@Nullable T value, @Nullable String problem) {

    static <T> Part<T> of(Supplier<T> read) {
        try {
            return new Part<>(read.get(), null);
        } catch (OutboxException e) {
            return new Part<>(null, e.getMessage());
        }
    }

    public boolean failed() {
        return problem != null;
    }
}
