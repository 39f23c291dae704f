package outbox.spi;

import org.jspecify.annotations.Nullable;

/** A password, token or key. Only {@link #reveal} shows it, so that no log prints it by accident. */
public final class Secret {

    private final String value;

    public Secret(String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a secret must not be empty");
        }
        this.value = value;
    }

    /** The secret itself. Call this where it is used, and store no copy. */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return Secret.class.hashCode(); // Says nothing about the value.
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
