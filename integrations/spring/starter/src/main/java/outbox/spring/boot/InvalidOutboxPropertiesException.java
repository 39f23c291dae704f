package outbox.spring.boot;

import org.jspecify.annotations.Nullable;

/** Thrown for properties that the outbox cannot work with. The message names the property and what is allowed. */
public final class InvalidOutboxPropertiesException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidOutboxPropertiesException(String message) {
        this(message, null);
    }

    InvalidOutboxPropertiesException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
